import { type RawBuilder, type Selectable, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type {
  EntryFilter,
  EntryHold,
  EntryRequest,
  LedgerEntry,
  OperatorPageStore,
  VerificationFilter,
} from '../../../ports/operator-pages.ts'
import { toStoredGroup } from '../assets/asset-groups.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from '../assets/find-asset.ts'
import { toStoredVerification } from '../assets/verifications.ts'
import { equal, pageOf } from '../page-of.ts'
import { page, read, type StatementsOf } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { isRequestId, taskIdOf } from '../tasks/task-id-of.ts'

export const OPERATOR_PAGES = {
  entries: page(pageEntries),
  findEntry: read(async (db, { id, requestsMax }) => {
    const [entry] = await pageEntries(db, { id, limit: 1 })
    if (entry === undefined) return undefined
    const { rows: links } = await sql<EntryLinks>`
      select ledger_entries.usage_id, holds.id, holds.kind, holds.state, holds.amount_micros, holds.created_at_ms,
        holds.ended_at_ms
      from ledger_entries left join holds on holds.id = ledger_entries.hold_id
      where ledger_entries.id = ${id}`.execute(db)
    const { rows: requests } = await sql<EntryRequest>`
      select id as "usageId", request_id as "requestId", model, cost_micros as "costMicros" from text_usage
      where entry_id = ${id} or id = ${links[0]?.usage_id ?? ''}
      order by id limit ${requestsMax}`.execute(db)
    return {
      ...entry,
      usageId: links[0]?.usage_id ?? null,
      hold: links.flatMap(toHold)[0] ?? null,
      requests: requests.map((row) => ({ ...row })),
    }
  }),

  entriesOfTask: read(async (db, taskId) => {
    return (await pageEntries(db, { taskId, limit: ENTRIES_OF_TASK_MAX })).toReversed()
  }),

  snapshotsOfTask: read(async (db, taskId) => {
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
  }),

  assets: page(async (db, query) => {
    const filters = [...equal('status', query.status), ...equal('group_id', query.groupId)]
    const { rows } = await sql<AssetRow>`
      select ${ASSET_COLUMNS} from assets ${pageOf('assets', query, filters)}`.execute(db)
    return rows.map(toStoredAsset)
  }),

  groups: page(async (db, query) => {
    const { rows } = await sql<Selectable<Tables['asset_groups']>>`
      select * from asset_groups ${pageOf('asset_groups', query, equal('kind', query.kind))}`.execute(db)
    return rows.map(toStoredGroup)
  }),

  /** Filters without an index on the state, because old rows are dropped and lists are short. */
  verifications: page(async (db, query) => {
    const filters = query.state === undefined ? [] : [inState(query.state)]
    const { rows } = await sql<Selectable<Tables['verifications']>>`
      select * from verifications ${pageOf('verifications', query, filters)}`.execute(db)
    return rows.map(toStoredVerification)
  }),

  /** Uses the index on time or of one task; with a state, the index of callbacks by state. */
  attempts: read(
    async (db, query) => {
      const { taskId, state, fromMs, toMs, after, limit } = query
      const conditions = taskId === undefined ? [] : [sql`callback_attempts.task_id = ${taskIdOf(taskId)}`]
      if (fromMs !== undefined) conditions.push(sql`at_ms >= ${fromMs}`)
      if (toMs !== undefined) conditions.push(sql`at_ms < ${toMs}`)
      if (state !== undefined) conditions.push(sql`video_callbacks.state = ${state}`)
      if (after !== undefined)
        conditions.push(
          state === undefined
            ? sql`(at_ms, callback_attempts.task_id, callback_attempts.attempt) < (cast(${after.atMs} as bigint), ${after.taskId}, ${after.attempt})`
            : sql`video_callbacks.task_id <= ${after.taskId}
              and (callback_attempts.task_id, callback_attempts.attempt) < (${after.taskId}, cast(${after.attempt} as bigint))`,
        )
      const which = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
      const order =
        state === undefined
          ? sql`at_ms desc, callback_attempts.task_id desc, callback_attempts.attempt desc`
          : sql`video_callbacks.task_id desc, callback_attempts.attempt desc`
      const from =
        state === undefined
          ? sql`callback_attempts`
          : sql`video_callbacks join callback_attempts on callback_attempts.task_id = video_callbacks.task_id`
      const { rows } = await sql<AttemptRow>`
      select callback_attempts.task_id, callback_attempts.attempt, at_ms, callback_attempts.status, error,
        video_tasks.organization_id, sealed_callback_url
      from ${from} left join video_tasks on video_tasks.id = callback_attempts.task_id
      ${which} order by ${order} limit ${limit}`.execute(db)
      return rows.map(({ task_id, at_ms, organization_id, sealed_callback_url, ...attempt }) => ({
        ...attempt,
        taskId: task_id,
        atMs: at_ms,
        organizationId: organization_id,
        encryptedCallbackUrl: sealed_callback_url,
      }))
    },
    ({ state }) => state !== undefined,
  ),
} satisfies StatementsOf<OperatorPageStore>

type AttemptRow = Selectable<Tables['callback_attempts']> &
  Pick<Selectable<Tables['video_tasks']>, 'organization_id' | 'sealed_callback_url'>

export async function pageEntries(db: Db, query: EntryFilter): Promise<LedgerEntry[]> {
  const filters = [...ofKind(query.kind), ...ofWork(query)]
  const { rows } = await sql<EntryRow>`
    ${ENTRIES} ${pageOf('ledger_entries', query, filters)}`.execute(db)
  return rows.map(toEntry)
}

/** Filters by kind. The index excludes usage, which is most entries, as does the first condition. */
function ofKind(kind: LedgerEntry['kind'] | undefined): RawBuilder<unknown>[] {
  if (kind === undefined) return []
  const isKind = sql`ledger_entries.kind = ${sql.lit(kind)}`
  return [kind === 'usage' ? isKind : sql`ledger_entries.kind <> 'usage' and ${isKind}`]
}

/** Finds the few entries of a task or request first, and each kind by its own index. */
function ofWork({ taskId, holdId, usageId }: EntryFilter): RawBuilder<unknown>[] {
  const within = (ids: RawBuilder<unknown>) => sql`ledger_entries.id in (${ids})`
  const ofHolds = (holds: RawBuilder<unknown>) =>
    sql.join(
      ['settlement', 'refund'].map(
        (kind) => sql`select id from ledger_entries where kind = ${sql.lit(kind)} and hold_id in (${holds})`,
      ),
      sql` union all `,
    )
  const ofUsage = (id: string) => {
    const row = sql`from text_usage where id = ${id} or request_id = ${id}`
    return sql`
      select entry_id ${row}
      union all select id from ledger_entries where usage_id is not null and usage_id in (select id ${row})
      ${isRequestId(id) ? sql`union all ${ofHolds(sql`select id from holds where task_id = ${taskIdOf(id)}`)}` : sql``}`
  }
  return [
    ...(taskId === undefined
      ? []
      : [within(ofHolds(sql`select id from holds where task_id = ${taskIdOf(taskId)}`))]),
    ...(holdId === undefined ? [] : [within(ofHolds(sql`${holdId}`))]),
    ...(usageId === undefined ? [] : [within(ofUsage(usageId))]),
  ]
}

type HoldRow = Selectable<Tables['holds']>
type HoldColumns = Pick<HoldRow, 'id' | 'kind' | 'state' | 'amount_micros' | 'created_at_ms' | 'ended_at_ms'>
/** All columns of the hold are null when there is none. */
type EntryLinks = { usage_id: string | null } & (HoldColumns | { [Name in keyof HoldColumns]: null })

function toHold(row: EntryLinks): EntryHold[] {
  if (row.id === null) return []
  const { id, kind, state, amount_micros, created_at_ms, ended_at_ms } = row
  const moments = { createdAtMs: created_at_ms, endedAtMs: ended_at_ms }
  return [{ id, kind, state, amountMicros: micros(amount_micros), ...moments }]
}

/** Limit of a task's entries: one settlement, and refunds that operators make by hand. */
const ENTRIES_OF_TASK_MAX = 200

const ENTRIES = sql`
  select ledger_entries.id, ledger_entries.organization_id, ledger_entries.kind, ledger_entries.amount_micros,
    ledger_entries.loss_micros, ledger_entries.quote_loss_micros, ledger_entries.note, ledger_entries.created_at_ms, holds.task_id
  from ledger_entries left join holds on holds.id = ledger_entries.hold_id`

type EntryRow = Pick<
  Selectable<Tables['ledger_entries']>,
  | 'id'
  | 'organization_id'
  | 'kind'
  | 'amount_micros'
  | 'loss_micros'
  | 'quote_loss_micros'
  | 'note'
  | 'created_at_ms'
> & { task_id: string | null }

function toEntry(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: row.kind,
    amountMicros: micros(row.amount_micros),
    lossMicros: micros(row.loss_micros),
    quoteLossMicros: micros(row.quote_loss_micros),
    taskId: row.task_id,
    note: row.note,
    createdAtMs: row.created_at_ms,
  }
}

function inState({ is, atMs }: NonNullable<VerificationFilter['state']>): RawBuilder<unknown> {
  if (is === 'ended') return sql`ended_at_ms is not null`
  return sql`ended_at_ms is null and expires_at_ms ${is === 'open' ? sql`>` : sql`<=`} ${atMs}`
}
