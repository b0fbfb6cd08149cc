import { sql } from 'kysely'
import { LONG_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import type { EventStore, StoredEvent } from '../../../ports/events.ts'
import { insertAudit } from '../audit/audits.ts'
import { bringForward } from '../bring-forward.ts'
import { claimAttempts, giveBack } from '../claim-attempts.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import type { Queue } from '../fair-claim.ts'
import { equal, pageOf } from '../page-of.ts'
import { page, type StatementsOf, single, write } from '../statement.ts'
import { insertEvents } from './insert-events.ts'

const DUE_EVENTS: Queue = {
  table: 'events',
  waiting: sql`state = 'pending'`,
  dueColumn: 'next_attempt_at_ms',
}

export const EVENTS = {
  claimDue: write((db, claim, traits) => {
    const columns = sql<NamedRow<typeof DUE_COLUMNS> & { url: string | null }>`${DUE_COLUMNS}, (
      select events_url from organizations where organizations.id = events.organization_id
    ) as url`
    return claimAttempts(db, DUE_EVENTS, columns, claim, traits)
  }),

  bringForward: single(bringForward(() => DUE_EVENTS)),
  recordAttempt: write(async (db, record) => {
    const { callbackId, fence, attempt, outcome, nextAttemptAtMs } = record
    const state = outcome === 'again' ? 'pending' : outcome
    await sql`
      update events set
        state = ${state}, next_attempt_at_ms = coalesce(${nextAttemptAtMs}, next_attempt_at_ms),
        last_attempt_at_ms = ${attempt.atMs}, last_status = ${attempt.status}, last_error = ${attempt.error}
      where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  }),

  giveBack: write(giveBack(DUE_EVENTS)),
  page: page(async (db, query) => {
    const filters = [...equal('type', query.type), ...equal('state', query.state)]
    const { rows } =
      await sql<EventRow>`select ${COLUMNS} from events ${pageOf('events', query, filters)}`.execute(db)
    return rows.map(toEvent)
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

const DUE_COLUMNS = columnsAs('events', {
  id: 'id',
  organizationId: 'organization_id',
  type: 'type',
  data: 'data',
  createdAtMs: 'created_at_ms',
  state: 'state',
  attempt: 'attempt_count',
  attemptsAllowed: 'attempts_allowed',
  fence: 'fence',
})

const COLUMNS = columnsAs('events', {
  id: 'id',
  organizationId: 'organization_id',
  type: 'type',
  data: 'data',
  createdAtMs: 'created_at_ms',
  state: 'state',
  attempts: 'attempt_count',
  nextAttemptAtMs: 'next_attempt_at_ms',
  lastAttemptAtMs: 'last_attempt_at_ms',
  lastStatus: 'last_status',
  lastError: 'last_error',
})

type EventRow = NamedRow<typeof COLUMNS>

function toEvent(row: EventRow): StoredEvent {
  return { ...row, nextAttemptAtMs: row.state === 'pending' ? row.nextAttemptAtMs : null }
}
