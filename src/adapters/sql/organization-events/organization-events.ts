import { type Selectable, sql } from 'kysely'
import { CALLBACK_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import type { DueEvent, EventType, OrganizationEventStore } from '../../../ports/organization-events.ts'
import { bringForward } from '../bring-forward.ts'
import { claimDueQuery } from '../callbacks/callbacks.ts'
import { countByOrganization, type Queue, shareOut } from '../fair-claim.ts'
import { type StatementsOf, single, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const ORGANIZATION_EVENTS = {
  claimDue: write(async (db, claim, traits) => {
    const { shares, moreAfter } = await shareOut(db, DUE_EVENTS, claim)
    if (shares.length === 0) return { due: [], abandoned: [], more: moreAfter(new Map()) }
    const { rows } = await claimDueQuery<EventRow & { events_url: string | null }>(
      DUE_EVENTS,
      sql`id, organization_id, type, subject, created_at_ms, state, attempt_count, attempts_allowed, fence, (
        select events_url from organizations where organizations.id = organization_events.organization_id
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
          subject: row.subject,
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
      update organization_events set
        state = ${state}, next_attempt_at_ms = coalesce(${nextAttemptAtMs}, next_attempt_at_ms),
        last_status = ${attempt.status}, last_error = ${attempt.error}
      where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  }),

  /** The fence increases, so that a repeated call finds nothing to give back. */
  giveBack: write(async (db, { callbackId, fence, nextAttemptAtMs }) => {
    await sql`
      update organization_events set
        attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
      where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  }),
} satisfies StatementsOf<OrganizationEventStore>

export const DUE_EVENTS: Queue = {
  table: 'organization_events',
  waiting: sql`state = 'pending'`,
  dueColumn: 'next_attempt_at_ms',
}

/** Due at once. Writes nothing for an organization without an address for events. */
export async function insertEvent(
  db: Db,
  event: { id: string; organizationId: string; type: EventType; subject: string; atMs: number },
): Promise<void> {
  const { id, organizationId, type, subject, atMs } = event
  await sql`
    insert into organization_events
      (id, organization_id, type, subject, created_at_ms, state, attempts_allowed, next_attempt_at_ms)
    select ${id}, id, ${type}, ${subject}, cast(${atMs} as bigint), 'pending', ${sql.lit(CALLBACK_ATTEMPTS_MAX)}, cast(${atMs} as bigint)
    from organizations where id = ${organizationId} and events_url is not null`.execute(db)
}

type EventRow = Selectable<Tables['organization_events']>
