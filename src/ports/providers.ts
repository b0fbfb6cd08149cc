import type { NewAudit } from './audit.ts'

/** Members of a provider as in `sluice.yaml`, without its name. */
export type ProviderMembers = Readonly<Record<string, unknown>>

export interface StoredProvider {
  id: string
  name: string
  driver: string
  /** Members without secrets, `driver` and `models`. */
  settings: ProviderMembers
  /** null: the driver has no list of models. */
  models: unknown
  /** Secret members, also those inside other members, encrypted. null: there are none. */
  encryptedSecrets: string | null
  /** A disabled provider takes no requests; its open video tasks still end. */
  state: 'active' | 'disabled'
  /** Version of the whole table at the last change of this provider. */
  version: number
  createdAtMs: number
  changedAtMs: number
}

/** Open video tasks, processing assets, and copies of erased rows that the vendor has not deleted yet. */
export type ProviderWork = Record<'tasks' | 'assets' | 'copies', number>

export interface ProviderStore {
  /** Returns the version of the table, which every change of a provider raises. */
  version(): Promise<number>
  /** Sorted by name. A row may be newer than a version that was read before. */
  list(): Promise<StoredProvider[]>
  /** Returns false when the name is in use. */
  add(provider: Omit<StoredProvider, 'version'>, audit: NewAudit): Promise<boolean>
  /** Returns false when the row is gone, or was changed since this version. */
  change(change: Omit<StoredProvider, 'name' | 'createdAtMs'>, audit: NewAudit): Promise<boolean>
  /** Removes nothing while tasks or, for an active provider, other work is open. The audit counts work that is given up. */
  remove(name: string, audit: NewAudit): Promise<{ removed: boolean; work: ProviderWork }>
}
