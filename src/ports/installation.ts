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

/** What this process has seen of one provider lately. */
export interface ProviderHealth {
  /** Of the target that is worst off. */
  breaker: 'closed' | 'open' | 'half-open'
  /** Keys that rest because the provider refused or limited them. */
  keysResting: number
  /** Of the last five minutes. */
  calls: number
  /** No answer, or a 5xx. */
  errors: number
  /** A 4xx. */
  refusals: number
  /** The last call that ended neither well nor because its client left; null: none since the start. */
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
