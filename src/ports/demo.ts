import type { NewAudit } from './audit.ts'

/** Customers whose traffic was made up to show the console with data. */
export interface DemoStore {
  listOrganizations(): Promise<string[]>
  mark(organizationId: string): Promise<void>
  /** Counts the customers that are neither of the demo nor made by the first start. */
  countOthers(): Promise<number>
  /** Deletes all rows of the demo. Returns false while a gateway spends money that it leased for a customer. */
  remove(at: { nowMs: number }, audit: NewAudit): Promise<boolean>
}
