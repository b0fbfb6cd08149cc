import { type RawBuilder, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type {
  EntryFilter,
  EntryHold,
  EntryRequest,
  LedgerEntry,
  OperatorPageStore,
  VerificationFilter,
} from '../../../ports/operator-pages.ts'
import { GROUP_COLUMNS } from '../assets/asset-groups.ts'
import { ASSET_COLUMNS, toStoredAsset } from '../assets/find-asset.ts'
import { VERIFICATION_COLUMNS } from '../assets/verifications.ts'
import { ATTEMPT_COLUMNS } from '../callbacks/callbacks.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { equal, pageOf, readPage } from '../page-of.ts'
import { page, read, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'
import { isRequestId, taskIdOf } from '../tasks/task-id-of.ts'

export const OPERATOR_PAGES = {
  entries: page(pageEntries),
  findEntry: read(async (db, { id, requestsMax }) => {
    const [entry] = await pageEntries(db, { id, limit: 1 })
    if (entry === undefined) return undefined
    const { rows: links } = await sql<EntryLinks>`
      select ledger_entries.usage_id, ${HOLD_COLUMNS} from ledger_entries left join holds on holds.id = ledger_entries.hold_id
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
    return (await readPage(db, 'assets', ASSET_COLUMNS, query, filters)).map(toStoredAsset)
  }),

  groups: page((db, query) => readPage(db, 'asset_groups', GROUP_COLUMNS, query, equal('kind', query.kind))),

  /** Filters without an index on the state, because old rows are dropped and lists are short. */
  verifications: page((db, query) => {
    const filters = query.state === undefined ? [] : [inState(query.state)]
    return readPage(db, 'verifications', VERIFICATION_COLUMNS, query, filters)
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
      select ${ATTEMPT_COLUMNS}, video_tasks.organization_id as "organizationId",
        sealed_callback_url as "encryptedCallbackUrl"
      from ${from} left join video_tasks on video_tasks.id = callback_attempts.task_id
      ${which} order by ${order} limit ${limit}`.execute(db)
      return rows.map((row) => ({ ...row }))
    },
    ({ state }) => state !== undefined,
  ),
} satisfies StatementsOf<OperatorPageStore>

type AttemptRow = NamedRow<typeof ATTEMPT_COLUMNS> & {
  organizationId: string
  encryptedCallbackUrl: string | null
}

export async function pageEntries(db: Db, query: EntryFilter): Promise<LedgerEntry[]> {
  const filters = [...ofKind(query.kind), ...ofWork(query)]
  const { rows } = await sql<Parameters<typeof toEntry>[0]>`
    ${ENTRIES} ${pageOf('ledger_entries', query, filters)}`.execute(db)
  return rows.map(toEntry)
}

/** Filters by kind. The index of the other kinds leaves out `usage`, the most frequent kind; `<> 'usage'` matches it. */
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

const HOLD_COLUMNS = columnsAs('holds', ['id', 'kind', 'state', 'amountMicros', 'createdAtMs', 'endedAtMs'])

type HoldRow = NamedRow<typeof HOLD_COLUMNS>
/** All columns of the hold are null when there is none. */
type EntryLinks = { usage_id: string | null } & (HoldRow | { [Name in keyof HoldRow]: null })

function toHold({ usage_id, ...row }: EntryLinks): EntryHold[] {
  return row.id === null ? [] : [{ ...row, amountMicros: micros(row.amountMicros) }]
}

/** Limit of a task's entries: one settlement, and refunds that operators make by hand. */
const ENTRIES_OF_TASK_MAX = 200

const ENTRY_COLUMNS = columnsAs('ledger_entries', [
  'id',
  'organizationId',
  'kind',
  'amountMicros',
  'lossMicros',
  'quoteLossMicros',
  'note',
  'createdAtMs',
])

const ENTRIES = sql`
  select ${ENTRY_COLUMNS}, holds.task_id as "taskId"
  from ledger_entries left join holds on holds.id = ledger_entries.hold_id`

function toEntry(row: NamedRow<typeof ENTRY_COLUMNS> & { taskId: string | null }): LedgerEntry {
  return {
    ...row,
    amountMicros: micros(row.amountMicros),
    lossMicros: micros(row.lossMicros),
    quoteLossMicros: micros(row.quoteLossMicros),
  }
}

function inState({ is, atMs }: NonNullable<VerificationFilter['state']>): RawBuilder<unknown> {
  if (is === 'ended') return sql`ended_at_ms is not null`
  return sql`ended_at_ms is null and expires_at_ms ${is === 'open' ? sql`>` : sql`<=`} ${atMs}`
}
