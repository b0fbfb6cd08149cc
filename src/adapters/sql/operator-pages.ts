import { type Kysely, type Selectable, sql } from 'kysely'
import { micros } from '../../domain/billing/micros.ts'
import type { StoredAsset, StoredGroup, StoredVerification } from '../../ports/asset-store.ts'
import type { CallbackAttempt } from '../../ports/callbacks.ts'
import type { AttemptPosition, LedgerEntry, SeenSnapshot } from '../../ports/operator-pages.ts'
import type { PageQuery } from '../../ports/page-query.ts'
import { toStoredGroup } from './asset-groups.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './assets/find-asset.ts'
import { pageOf } from './page-of.ts'
import type { Tables } from './tables.ts'
import { toStoredVerification } from './verifications.ts'

export async function pageEntries(db: Kysely<Tables>, query: PageQuery): Promise<LedgerEntry[]> {
  const { rows } = await sql<EntryRow>`
    ${ENTRIES} ${pageOf('ledger_entries', query)}`.execute(db)
  return rows.map(toEntry)
}

/** Each kind has an index of its own on the hold. */
export async function listEntriesOfTask(
  db: Kysely<Tables>,
  { taskId }: { taskId: string },
): Promise<LedgerEntry[]> {
  const ofKind = (kind: string) =>
    sql`${ENTRIES} where holds.task_id = ${taskId} and ledger_entries.kind = ${sql.lit(kind)}`
  const { rows } = await sql<EntryRow>`
    select * from (${ofKind('settlement')} union all ${ofKind('refund')}) as entries
    order by id limit ${ENTRIES_OF_TASK_MAX}`.execute(db)
  return rows.map(toEntry)
}

/** A task has one settlement, and refunds that operators make by hand. */
const ENTRIES_OF_TASK_MAX = 200

const ENTRIES = sql`
  select ledger_entries.id, ledger_entries.organization_id, ledger_entries.kind, ledger_entries.amount_micros,
    ledger_entries.loss_micros, ledger_entries.note, ledger_entries.created_at_ms, holds.task_id
  from ledger_entries left join holds on holds.id = ledger_entries.hold_id`

type EntryRow = Pick<
  Selectable<Tables['ledger_entries']>,
  'id' | 'organization_id' | 'kind' | 'amount_micros' | 'loss_micros' | 'note' | 'created_at_ms'
> & { task_id: string | null }

function toEntry(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: row.kind,
    amountMicros: micros(row.amount_micros),
    lossMicros: micros(row.loss_micros),
    taskId: row.task_id,
    note: row.note,
    createdAtMs: row.created_at_ms,
  }
}

export async function listSnapshotsOfTask(
  db: Kysely<Tables>,
  { taskId }: { taskId: string },
): Promise<SeenSnapshot[]> {
  const rows = await db
    .selectFrom('task_snapshots')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('at_ms')
    .execute()
  return rows.map(({ status, at_ms, error_code: code, error_message: message, measured }) => ({
    status,
    atMs: at_ms,
    error: code === null ? null : { code, message: message ?? '' },
    measured: JSON.parse(measured),
  }))
}

export async function pageAssets(db: Kysely<Tables>, query: PageQuery): Promise<StoredAsset[]> {
  const { rows } = await sql<AssetRow>`
    select ${ASSET_COLUMNS} from assets ${pageOf('assets', query)}`.execute(db)
  return rows.map(toStoredAsset)
}

export async function pageGroups(db: Kysely<Tables>, query: PageQuery): Promise<StoredGroup[]> {
  const { rows } = await sql<Selectable<Tables['asset_groups']>>`
    select * from asset_groups ${pageOf('asset_groups', query)}`.execute(db)
  return rows.map(toStoredGroup)
}

export async function pageVerifications(db: Kysely<Tables>, query: PageQuery): Promise<StoredVerification[]> {
  const { rows } = await sql<Selectable<Tables['verifications']>>`
    select * from verifications ${pageOf('verifications', query)}`.execute(db)
  return rows.map(toStoredVerification)
}

/** Walks the index on moment, task and attempt, or that of one task. */
export async function pageAttempts(
  db: Kysely<Tables>,
  { taskId, after, limit }: { taskId: string | undefined; after: AttemptPosition | undefined; limit: number },
): Promise<CallbackAttempt[]> {
  const rows = await db
    .selectFrom('callback_attempts')
    .select(['task_id', 'attempt', 'at_ms', 'status', 'error'])
    .$if(taskId !== undefined, (query) => query.where('task_id', '=', taskId ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('at_ms', 'task_id', 'attempt'),
          '<',
          tuple(after?.atMs ?? 0, after?.taskId ?? '', after?.attempt ?? 0),
        ),
      ),
    )
    .orderBy('at_ms', 'desc')
    .orderBy('task_id', 'desc')
    .orderBy('attempt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ task_id, at_ms, ...attempt }) => ({ taskId: task_id, atMs: at_ms, ...attempt }))
}
