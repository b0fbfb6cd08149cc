import type { NewAudit } from './audit.ts'

/** Members of a provider as `sluice.yaml` has them, besides its name. */
export type ProviderMembers = Readonly<Record<string, unknown>>

/** A provider that an operator added while the gateway ran. */
export interface StoredProvider {
  id: string
  /** First part of its models' names. */
  name: string
  driver: string
  /** Members without a secret, besides `driver` and `models`. */
  settings: ProviderMembers
  /** null: the driver has no such list. */
  models: unknown
  /** Members that are secrets, or the secrets in them, encrypted. null: it has none. */
  encryptedSecrets: string | null
  /** A disabled provider takes no requests; its open video tasks still end. */
  state: 'active' | 'disabled'
  /** Version of the whole table at its last change. */
  version: number
  createdAtMs: number
  changedAtMs: number
}

export interface ProviderStore {
  /** Returns the number that every change of a provider raises. */
  version(): Promise<number>
  /** Lists them by name. Their versions are at least the version that was read before. */
  list(): Promise<StoredProvider[]>
  /** Returns false when the name is in use. */
  add(provider: Omit<StoredProvider, 'version'>, audit: NewAudit): Promise<boolean>
  /** Returns false when the row is gone, or was changed since this version. */
  change(change: Omit<StoredProvider, 'name' | 'createdAtMs'>, audit: NewAudit): Promise<boolean>
  /** Removes nothing while video tasks of the provider are open. */
  remove(name: string, audit: NewAudit): Promise<{ removed: boolean; openTasks: number }>
}
