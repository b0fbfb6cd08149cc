import type { ColumnType, Generated, Kysely } from 'kysely'
import type { ApiKey } from '../../domain/access/api-key.ts'
import type { Organization, RecordBodies, User } from '../../domain/access/organization.ts'
import type { HoldState } from '../../domain/billing/micros.ts'
import type { CallbackRetries } from '../../domain/callbacks/callback-retry.ts'
import type { CostTerms } from '../../domain/video/cost-of-task.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { TextFigures } from '../../ports/usage.ts'
import type {
  AssetCountsTable,
  AssetGroupsTable,
  AssetsTable,
  RevocationsTable,
  VerificationsTable,
} from './asset-tables.ts'
import type { ColumnsOf } from './columns-of.ts'
import type { ModelAliasesTable, ModelPricesTable, ModelsTable } from './model-tables.ts'
import type { OperatorsTable, ProviderChangesTable, ProvidersTable } from './operator-tables.ts'
import type {
  CallbackAttemptsTable,
  ClipsTable,
  EventsTable,
  TaskAttemptsTable,
  TaskSnapshotsTable,
  VideoCallbacksTable,
  VideoTasksTable,
} from './video-tables.ts'

/** A connection or a transaction. */
export type Db = Kysely<Tables>

/** Tables that only plain SQL reads and writes. */
type PlainTables = Record<
  | 'video_quotes'
  | 'receipts'
  | 'receipt_keys'
  | 'idempotency_keys'
  | 'request_claims'
  | 'default_group_claims'
  | 'usage_rollup_hour'
  | 'usage_rollup_day'
  | 'usage_rollup_day_model'
  | 'usage_rollup_day_key'
  | 'usage_retention'
  | 'refused_requests'
  | 'text_usage'
  | 'log_spans'
  | 'log_span_values'
  | 'vendor_ids'
  | 'task_groups'
  | 'vendor_removals'
  | 'deployment'
  | 'admin_requests'
  | 'operator_sessions'
  | 'sign_in_links',
  object
>

/** Rows as both engines return them. Values that the engines represent differently are unions. */
export interface Tables extends PlainTables {
  organizations: OrganizationsTable
  users: UsersTable
  api_keys: ApiKeysTable
  models: ModelsTable
  video_tasks: VideoTasksTable
  video_callbacks: VideoCallbacksTable
  callback_attempts: CallbackAttemptsTable
  asset_groups: AssetGroupsTable
  assets: AssetsTable
  asset_counts: AssetCountsTable
  verifications: VerificationsTable
  model_prices: ModelPricesTable
  model_aliases: ModelAliasesTable
  holds: HoldsTable
  ledger_entries: LedgerEntriesTable
  user_days: UserDaysTable
  audit_events: AuditEventsTable
  operators: OperatorsTable
  providers: ProvidersTable
  provider_changes: ProviderChangesTable
  task_attempts: TaskAttemptsTable
  task_snapshots: TaskSnapshotsTable
  clips: ClipsTable
  revocations: RevocationsTable
  events: EventsTable
  demo_organizations: { organization_id: string }
}

interface OrganizationsTable
  extends ColumnsOf<Pick<Organization, 'id' | 'name' | 'billing' | 'requestsPerMinute' | 'keepReplies'>>,
    ColumnsOf<Pick<Organization, 'createdAtMs' | 'disabledAtMs' | 'eventsUrl' | 'keepMedia'>> {
  balance_micros: Generated<number>
  held_micros: Generated<number>
  /** Encrypted, like `previous_webhook_secret`. */
  webhook_secret: string
  previous_webhook_secret: string | null
  previous_webhook_secret_until_ms: number | null
  callback_retries: Generated<CallbackRetries>
  record_bodies: Generated<RecordBodies>
  monthly_budget_micros: number | null
  budget_warn_percent: number | null
  /** Month of the last charge, `YYYY-MM`; `budget_used_micros` has the charges of that month. */
  budget_month: string | null
  budget_used_micros: Generated<number>
  budget_warned_month: string | null
  /** Threshold of the event `balance.low`; null: none. */
  low_balance_micros: number | null
  /** Time of the event. A credit that reaches the threshold clears it; any credit clears `empty_balance_told_at_ms`. */
  low_balance_told_at_ms: number | null
  empty_balance_told_at_ms: number | null
}

interface UsersTable extends ColumnsOf<Omit<User, 'maxDailyUserLimit' | 'enableLimit'>> {
  /** PostgreSQL returns `5.250000`, and SQLite the number 5.25; `toDecimalString` normalizes them. */
  max_daily_user_limit: ColumnType<string | number | null, string | null | undefined, string | null>
  /** SQLite has no booleans: 0 and 1. */
  enable_limit: ColumnType<boolean | number, boolean | undefined, boolean>
  /** Set once and never cleared. */
  erased_at_ms: ColumnType<number | null, number | undefined, number>
}

interface ApiKeysTable extends ColumnsOf<Omit<ApiKey, 'allowedModels' | 'monthlyBudgetMicros'>> {
  digest: string
  /** A JSON array of names of models. */
  allowed_models: string | null
  monthly_budget_micros: number | null
  budget_month: string | null
  budget_used_micros: Generated<number>
}

interface HoldsTable {
  id: string
  organization_id: string
  kind: 'task' | 'allowance'
  /** Null for an allowance, like `day`. */
  user_id: string | null
  day: string | null
  task_id: string | null
  amount_micros: number
  state: HoldState
  created_at_ms: number
  expires_at_ms: number
  ended_at_ms: number | null
}

interface LedgerEntriesTable {
  id: string
  organization_id: string
  kind: 'credit' | 'settlement' | 'usage' | 'refund'
  amount_micros: number
  /** Part of the cost that the balance did not cover. */
  loss_micros: Generated<number>
  /** Cost of the measured use above the quoted price, for which the client is not charged. */
  quote_loss_micros: Generated<number>
  hold_id: string | null
  note: string | null
  created_at_ms: number
  /** Terms of a settlement's cost; null for other kinds and for settlements older than this column. */
  cost_unit: CostTerms['unit'] | null
  cost_quantity: number | null
  cost_price_micros: number | null
  /** Version of the user's day after a refund. */
  day_version: number | null
  /** A refund's usage row and that row's day. */
  usage_id: string | null
  usage_day: string | null
  /** Keys of a settlement or refund in the rollups; null for other kinds, and until the rollups count the entry. */
  user_id: string | null
  api_key_id: string | null
  model: string | null
  outcome: TextFigures['outcome'] | null
  /** Length of a settled video, and the time to make it. */
  video_ms: number | null
  duration_ms: number | null
}

interface UserDaysTable {
  user_id: string
  day: string
  used_micros: number
  version: number
}

interface AuditEventsTable extends ColumnsOf<Omit<NewAudit, 'claimId' | 'detail'>> {
  /** JSON */
  detail: string
  /** Ledger entry and amount of an action that moved money. */
  entry_id: string | null
  amount_micros: number | null
}
