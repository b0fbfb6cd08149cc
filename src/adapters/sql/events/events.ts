import { type Selectable, sql } from 'kysely'
import { LONG_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import type { DueEvent, EventStore, StoredEvent } from '../../../ports/events.ts'
import { insertAudit } from '../audit/audits.ts'
import { bringForward } from '../bring-forward.ts'
import { claimDueQuery } from '../callbacks/callbacks.ts'
import { countByOrganization, type Queue, shareOut } from '../fair-claim.ts'
import { equal, pageOf } from '../page-of.ts'
import { page, type StatementsOf, single, write } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { insertEvents } from './insert-events.ts'

export const EVENTS = {
  claimDue: write(async (db, claim, traits) => {
    const { shares, moreAfter } = await shareOut(db, DUE_EVENTS, claim)
    if (shares.length === 0) return { due: [], abandoned: [], more: moreAfter(new Map()) }
    const { rows } = await claimDueQuery<EventRow & { events_url: string | null }>(
      DUE_EVENTS,
      sql`id, organization_id, type, data, created_at_ms, state, attempt_count, attempts_allowed, fence, (
        select events_url from organizations where organizations.id = events.organization_id
      ) as events_url`,
      { ...claim, shares },
      traits,
    ).execute(db)
    const due = rows
      .filter(({ state }) => state === 'pending')
      .map(
        (row): DueEvent => ({
          id: row.id,
          organizationId: row.organization_id,
          type: row.type,
          data: row.data,
          createdAtMs: row.created_at_ms,
          url: row.events_url,
          attempt: row.attempt_count,
          attemptsLeft: row.attempts_allowed - row.attempt_count,
          fence: row.fence,
        }),
      )
    const abandoned = rows
      .filter(({ state }) => state !== 'pending')
      .map(({ organization_id }) => ({ organizationId: organization_id }))
    return { due, abandoned, more: moreAfter(countByOrganization(rows)) }
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

  /** The fence grows, so that a repeated call finds nothing to give back. */
  giveBack: write(async (db, { callbackId, fence, nextAttemptAtMs }) => {
    await sql`
      update events set
        attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
      where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  }),

  page: page(async (db, query) => {
    const filters = [...equal('type', query.type), ...equal('state', query.state)]
    const { rows } = await sql<EventRow>`select * from events ${pageOf('events', query, filters)}`.execute(db)
    return rows.map(toEvent)
  }),

  /** The fence grows, so that a running attempt cannot finish the event. */
  resend: write(async (db, { id, atMs }, audit) => {
    const { rows } = await sql<EventRow>`
      update events set
        state = 'pending', next_attempt_at_ms = ${atMs}, fence = fence + 1,
        attempts_allowed = attempt_count + ${LONG_ATTEMPTS_MAX}
      where id = ${id} returning *`.execute(db)
    const [row] = rows
    if (row !== undefined) await insertAudit(db, audit)
    return row && toEvent(row)
  }),

  add: write(async (db, event) => {
    const [id] = await insertEvents(db, [event])
    if (id === undefined) return undefined
    const { rows } = await sql<EventRow>`select * from events where id = ${id}`.execute(db)
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

const DUE_EVENTS: Queue = {
  table: 'events',
  waiting: sql`state = 'pending'`,
  dueColumn: 'next_attempt_at_ms',
}

type EventRow = Selectable<Tables['events']>

function toEvent(row: EventRow): StoredEvent {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type,
    data: row.data,
    createdAtMs: row.created_at_ms,
    state: row.state,
    attempts: row.attempt_count,
    nextAttemptAtMs: row.state === 'pending' ? row.next_attempt_at_ms : null,
    lastAttemptAtMs: row.last_attempt_at_ms,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }
}
