import { sql } from 'kysely'
import { LONG_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import type { DueEvent, EventStore, StoredEvent } from '../../../ports/events.ts'
import { insertAudit } from '../audit/audits.ts'
import { bringForward } from '../bring-forward.ts'
import { claimAttempts, giveBack } from '../claim-attempts.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import type { Queue } from '../fair-claim.ts'
import { equal, readPage } from '../page-of.ts'
import { page, type StatementsOf, single, write } from '../statement.ts'
import { insertEvents } from './insert-events.ts'

const QUEUE: Queue = { table: 'events', waiting: sql`state = 'pending'`, dueColumn: 'next_attempt_at_ms' }
const DUE_COLUMNS = sql<Pick<DueEvent, 'type' | 'data' | 'createdAtMs' | 'url'>>`
  type, data, created_at_ms as "createdAtMs", (
    select events_url from organizations where organizations.id = events.organization_id
  ) as url`

export const EVENTS = {
  claimDue: write((db, claim, traits) =>
    claimAttempts(db, { queue: QUEUE, columns: DUE_COLUMNS }, claim, traits),
  ),

  bringForward: single(bringForward(() => QUEUE)),
  recordAttempt: write(async (db, record) => {
    const { callbackId, fence, attempt, outcome, nextAttemptAtMs } = record
    const state = outcome === 'again' ? 'pending' : outcome
    await sql`
      update events set
        state = ${state}, next_attempt_at_ms = coalesce(${nextAttemptAtMs}, next_attempt_at_ms),
        last_attempt_at_ms = ${attempt.atMs}, last_status = ${attempt.status}, last_error = ${attempt.error}
      where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  }),

  giveBack: write(giveBack(QUEUE)),
  page: page(async (db, query) => {
    const filters = [...equal('type', query.type), ...equal('state', query.state)]
    return (await readPage(db, 'events', COLUMNS, query, filters)).map(toEvent)
  }),

  /** The fence grows, so that a running attempt cannot finish the event. */
  resend: write(async (db, { id, atMs }, audit) => {
    const { rows } = await sql<EventRow>`
      update events set
        state = 'pending', next_attempt_at_ms = ${atMs}, fence = fence + 1,
        attempts_allowed = attempt_count + ${LONG_ATTEMPTS_MAX}
      where id = ${id} returning ${COLUMNS}`.execute(db)
    const [row] = rows
    if (row !== undefined) await insertAudit(db, audit)
    return row && toEvent(row)
  }),

  add: write(async (db, event) => {
    const [id] = await insertEvents(db, [event])
    if (id === undefined) return undefined
    const { rows } = await sql<EventRow>`select ${COLUMNS} from events where id = ${id}`.execute(db)
    return rows[0] && toEvent(rows[0])
  }),

  dropOld: single(async (db, { beforeMs, limit }, { lockRowsSkippingLocked }) => {
    const { numAffectedRows } = await sql`
      with old as materialized (
        select id from events where created_at_ms < ${beforeMs} and state <> 'pending'
        order by created_at_ms limit ${limit} ${lockRowsSkippingLocked}
      )
      delete from events where id in (select id from old)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }),
} satisfies Partial<StatementsOf<EventStore>>

const COLUMNS = columnsAs(
  'events',
  [
    'id',
    'organizationId',
    'type',
    'data',
    'createdAtMs',
    'state',
    'nextAttemptAtMs',
    'lastAttemptAtMs',
    'lastStatus',
    'lastError',
  ],
  { attempts: 'attempt_count' },
)

type EventRow = NamedRow<typeof COLUMNS>

function toEvent(row: EventRow): StoredEvent {
  return { ...row, nextAttemptAtMs: row.state === 'pending' ? row.nextAttemptAtMs : null }
}
