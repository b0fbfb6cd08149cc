/** Who is calling: what an API key stands for once it has been checked. */
export interface Caller {
  keyId: string
  organizationId: string
  userId: string
  keyRequestsPerMinute: number | null
  organizationRequestsPerMinute: number | null
}
