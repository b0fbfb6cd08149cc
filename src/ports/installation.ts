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

/** A setting with its effective value. */
export interface SettingInForce {
  name: string
  /** Heading of the setting in the reference. */
  group: string
  /** null: it is not set and has no default. The value of a secret is never shown. */
  value: string | null
  isSecret: boolean
  isDefault: boolean
}

export interface BreakerHealth {
  /** Its scope: an operation, and for a text provider the vendor's name of the model. */
  target: string
  /** Set when only calls of this organization are held back; null: all calls. */
  organizationId: string | null
  state: 'closed' | 'open' | 'half-open'
  /** Time since which it is closed, or is not; null: since the start of the process. */
  sinceMs: number | null
  /** While it is closed, failures since the last success; else those that opened it and the attempts that failed since. */
  failures: number
  /** `outcome` is a status class such as `5xx`, or the kind of failure, as in the metrics. */
  lastFailure: { atMs: number; outcome: string } | null
  /** The first call after this time tries the provider again; null while it is closed. */
  nextTryMs: number | null
}

/** Recent state of one provider in this process. */
export interface ProviderHealth {
  /** State of the worst target. */
  breaker: 'closed' | 'open' | 'half-open'
  /** Breakers of each target that was called, and those of one organization that are not closed. */
  breakers: readonly BreakerHealth[]
  /** Keys that rest because the provider refused or limited them. */
  keysResting: number
  /** Calls of the last five minutes. */
  calls: number
  /** Calls without an answer, or with a 5xx. */
  errors: number
  /** Calls with a 4xx. */
  refusals: number
  /** The last failed call, except those whose client left; null: none since the start. */
  lastError: { atMs: number; operation: string; outcome: string } | null
}

export interface VendorModel {
  id: string
  /** Name under which the provider offers it; null: it does not. */
  name: string | null
}

/** A common vendor whose settings come with the program. */
export interface PresetReport {
  name: string
  title: string
  driver: string
  needsKey: boolean
  /** Whether the operator's own server has to be named. */
  needsBaseUrl: boolean
  /** Day and page of its prices; null: it has no price list. */
  pricesTaken: string | null
  pricesPage: string | null
  /** Members of its provider as `sluice.yaml` has them, without the key. */
  settings: Readonly<Record<string, unknown>>
  /** Rows as a catalog file has them, with their prices. */
  models: readonly object[]
}

/** This process and its dependencies, for operators. */
export interface Installation {
  listSettings(): readonly SettingInForce[]
  healthOf(provider: string): ProviderHealth
  /** Lists the health of every provider that takes requests. */
  listHealth(): (ProviderHealth & { name: string })[]
  listPresets(): readonly PresetReport[]
  /** Returns the reason why clients of this process cannot be served a model; undefined: they can. */
  whyUnservable(model: PricedModel, findRow: FindRow): string | undefined
  /** Runs `sluice provider test`. `ApiError('not_found')` for an unknown name. */
  testProvider(name: string): Promise<readonly DependencyCheck[]>
  /** Asks the vendor which models it has. `ApiError('not_found')` for an unknown name. */
  listVendorModels(name: string): Promise<readonly VendorModel[]>
  /** Runs `sluice doctor`. */
  runDoctor(): Promise<readonly DependencyCheck[]>
}
