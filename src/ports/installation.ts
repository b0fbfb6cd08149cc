import type { FindRow, PricedModel } from '../domain/catalog/model.ts'

export interface DependencyCheck {
  name: string
  ok: boolean
  /** Set for a check that passed with a remark. */
  warning?: true
  /** Probable cause, where a provider was called. */
  cause?: string
  detail: string
  fix?: string
}

export interface SettingInForce {
  name: string
  group: string
  /** null: the setting has no value and no default. The value of a secret is never shown. */
  value: string | null
  isSecret: boolean
  isDefault: boolean
}

export interface BreakerHealth {
  /** Scope of the breaker: an operation, and for a text provider the vendor's name of the model. */
  target: string
  /** Set when the breaker holds back only calls of this organization; null: all calls. */
  organizationId: string | null
  state: 'closed' | 'open' | 'half-open'
  /** Time when it last closed or opened; null: it has been closed since the start. */
  sinceMs: number | null
  /** Closed: failures since the last success. Otherwise: failures that opened it, and tries that failed since then. */
  failures: number
  /** `outcome` is a status class such as `5xx`, or the kind of failure, as in the metrics. */
  lastFailure: { atMs: number; outcome: string } | null
  /** The first call after this time is a try; null while the breaker is closed. */
  nextTryMs: number | null
}

export interface ProviderHealth {
  breaker: 'closed' | 'open' | 'half-open'
  /** Breakers of called targets, and those of single organizations that are not closed: 100 at most, open first. */
  breakers: readonly BreakerHealth[]
  /** Keys that rest because the provider refused or limited them. */
  keysResting: number
  /** Calls of this clock minute and of the four before. `errors` and `refusals` cover the same time. */
  calls: number
  /** Calls that ended with a 5xx or without a complete answer, sent or not. A client that left is no error. */
  errors: number
  /** Calls with a 4xx. */
  refusals: number
  /** Last call that was an error or a refusal, however old, except calls that a breaker refused; null: none. */
  lastError: { atMs: number; operation: string; outcome: string } | null
}

export interface VendorModel {
  id: string
  /** Name of the model in the provider's `models`; null: the model is not listed there. */
  name: string | null
}

export interface PresetReport {
  name: string
  title: string
  driver: string
  needsKey: boolean
  /** Whether the operator has to name a server. */
  needsBaseUrl: boolean
  /** null: the vendor has no price list. */
  pricesTaken: string | null
  pricesPage: string | null
  /** Members of its provider as in `sluice.yaml`, without the key. */
  settings: Readonly<Record<string, unknown>>
  /** Rows as in a catalog file, with their prices. */
  models: readonly object[]
}

export interface Installation {
  listSettings(): readonly SettingInForce[]
  healthOf(provider: string): ProviderHealth
  /** Leaves out disabled providers. */
  listHealth(): (ProviderHealth & { name: string })[]
  listPresets(): readonly PresetReport[]
  /** Returns the reason why this process cannot serve a model to clients; undefined: it can. */
  whyUnservable(model: PricedModel, findRow: FindRow): string | undefined
  /** Runs `sluice provider test`. Rejects with `ApiError('not_found')` for an unknown name. */
  testProvider(name: string): Promise<readonly DependencyCheck[]>
  /** Asks the vendor for its models. Rejects with `ApiError('not_found')` for an unknown name. */
  listVendorModels(name: string): Promise<readonly VendorModel[]>
  runDoctor(): Promise<readonly DependencyCheck[]>
}
