import type { NewAudit } from './audit.ts'

/** Customers whose traffic was made up to show the console with data. */
export interface DemoStore {
  listOrganizations(): Promise<string[]>
  mark(organizationId: string): Promise<void>
  /** Counts the customers that are neither of the demo nor made by the first start. */
  countOthers(): Promise<number>
  /**
   * Deletes every row of the demo's customers: usage and ledger too. Returns false, and changes nothing, while a gateway
   * spends money that it leased for one of them.
   */
  remove(at: { nowMs: number }, audit: NewAudit): Promise<boolean>
}
