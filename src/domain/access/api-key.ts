/** A key as operators see it. The key itself is shown once, at creation; only its digest is kept. */
export interface ApiKey {
  id: string
  organizationId: string
  userId: string
  name: string
  /** The first characters of the key, enough to recognise it and too few to use it. */
  prefix: string
  /** null: the organization's or the deployment's limit applies. */
  requestsPerMinute: number | null
  createdAtMs: number
  revokedAtMs: number | null
  /** null: it works until it is revoked. */
  expiresAtMs: number | null
  /** The names of the models it may use; null: all. */
  allowedModels: readonly string[] | null
}

/** A caller as the store knows it: whether it may call now is decided at each request. */
export interface StoredCaller extends Caller {
  disabled: 'organization_disabled' | 'user_disabled' | null
  expiresAtMs: number | null
}

/** Who is calling: what an API key stands for once it has been checked. */
export interface Caller {
  keyId: string
  organizationId: string
  userId: string
  keyRequestsPerMinute: number | null
  organizationRequestsPerMinute: number | null
  /** The names of the models its key may use; null: all. */
  allowedModels: readonly string[] | null
}
