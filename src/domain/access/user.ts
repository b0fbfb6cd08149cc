/** A person or program of an organization; daily spending limits are set per user. */
export interface User {
  id: string
  organizationId: string
  name: string
  /** US dollars a calendar day, as a decimal string; null when none was ever set. */
  maxDailyUserLimit: string | null
  enableLimit: boolean
  createdAtMs: number
}
