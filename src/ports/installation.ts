/** One line of a diagnosis. */
export interface DependencyCheck {
  name: string
  ok: boolean
  /** In order, and still something to know. */
  warning?: true
  /** What to look at, where a provider was asked. */
  cause?: string
  detail: string
  fix?: string
}

/** One setting as it is in force. */
export interface SettingInForce {
  name: string
  /** The heading of the reference that it stands under. */
  group: string
  /** null: it is not set and has no default. Of a secret never the value itself. */
  value: string | null
  isSecret: boolean
  isDefault: boolean
}

/** One breaker of a provider in this process. */
export interface BreakerHealth {
  /** What it keeps apart: an operation, and of a text provider the vendor's name of the model. */
  target: string
  /** Only calls of this organization are held back; null: all calls. */
  organizationId: string | null
  state: 'closed' | 'open' | 'half-open'
  /** Since when it is closed, or is not; null: since the start of the process. */
  sinceMs: number | null
  /** While it is closed, those since the last success; else those that opened it and the tries that failed since. */
  failures: number
  /** `outcome`: a status class such as `5xx`, or how the call failed, as in the metrics. */
  lastFailure: { atMs: number; outcome: string } | null
  /** The first call after this moment tries the provider again; null while it is closed. */
  nextTryMs: number | null
}

/** What this process has seen of one provider lately. */
export interface ProviderHealth {
  /** Of the target that is worst off. */
  breaker: 'closed' | 'open' | 'half-open'
  /** Those for all calls of each target that was called, and those for one organization that are not closed. */
  breakers: readonly BreakerHealth[]
  /** Keys that rest because the provider refused or limited them. */
  keysResting: number
  /** Of the last five minutes. */
  calls: number
  /** No answer, or a 5xx. */
  errors: number
  /** A 4xx. */
  refusals: number
  /** The last call that was tried and ended neither well nor because its client left; null: none since the start. */
  lastError: { atMs: number; operation: string; outcome: string } | null
}

export interface ProviderReport extends ProviderHealth {
  name: string
  driver: string
  baseUrl: string
  organizationId: string | null
  /** null: those of its family. */
  models: readonly string[] | null
}

/** This process and what it depends on, for operators. */
export interface Installation {
  listSettings(): readonly SettingInForce[]
  listProviders(): ProviderReport[]
  /** What `sluice provider test` asks. `ApiError('not_found')` for an unknown name. */
  testProvider(name: string): Promise<readonly DependencyCheck[]>
  /** What `sluice doctor` asks. */
  runDoctor(): Promise<readonly DependencyCheck[]>
}
