/** Digests of ids that vendors gave to organizations: of items, containers, files. The ids themselves are not kept. */
export interface VendorIdStore {
  /** One that is there already is kept for longer. */
  keep(kept: { owners: readonly VendorIdOwner[]; expiresAtMs: number }): Promise<void>
  /** Those of the digests that this organization has. */
  find(query: { organizationId: string; digests: readonly string[]; nowMs: number }): Promise<string[]>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface VendorIdOwner {
  digest: string
  organizationId: string
}
