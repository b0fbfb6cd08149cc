import { sql } from 'kysely'
import type { NewEvent } from '../../../domain/events/event.ts'
import type { EventStore } from '../../../ports/events.ts'
import { type StatementsOf, write } from '../statement.ts'
import { insertEvents } from './insert-events.ts'

/** Statements that find causes of events, and remember them in the transaction of the event. */
export const REPORT_EVENTS = {
  /** Reports each organization once until a credit clears its `*_told_at_ms` columns (`add-credit.ts`). */
  reportBalances: write(async (db, { refused, atMs }) => {
    const at = sql`cast(${atMs} as bigint)`
    const low = await sql<{ id: string; balance: number; threshold: number }>`
      update organizations set low_balance_told_at_ms = ${at}
      where low_balance_micros is not null and low_balance_told_at_ms is null
        and balance_micros < low_balance_micros and disabled_at_ms is null
      returning id, balance_micros as balance, low_balance_micros as threshold`.execute(db)
    const lowEvents = low.rows.map(
      ({ id, balance, threshold }): NewEvent => ({
        type: 'balance.low',
        organizationId: id,
        cause: `balance.low:${id}:${atMs}`,
        data: { organization_id: id, balance_micros: balance, threshold_micros: threshold },
        atMs,
      }),
    )
    await insertEvents(db, lowEvents)
    if (refused.length === 0) return
    const empty = await sql<{ id: string; balance: number }>`
      update organizations set empty_balance_told_at_ms = ${at}
      where id in (${sql.join(refused)}) and empty_balance_told_at_ms is null
      returning id, balance_micros as balance`.execute(db)
    const emptyEvents = empty.rows.map(
      ({ id, balance }): NewEvent => ({
        type: 'balance.empty',
        organizationId: id,
        cause: `balance.empty:${id}:${atMs}`,
        data: { organization_id: id, balance_micros: balance },
        atMs,
      }),
    )
    await insertEvents(db, emptyEvents)
  }),

  reportSpentBudgets: write(async (db, { month, atMs }) => {
    const { rows } = await sql<{ id: string; budget: number; used: number }>`
      select id, monthly_budget_micros as budget, budget_used_micros as used from organizations
      where monthly_budget_micros is not null and budget_month = ${month}
        and budget_used_micros >= monthly_budget_micros and disabled_at_ms is null
        and not exists (
          select 1 from events where events.organization_id = 'operator'
            and events.cause = 'budget.reached:' || organizations.id || ':' || ${month} || ':' || monthly_budget_micros
        )`.execute(db)
    const events = rows.map(
      ({ id, budget, used }): NewEvent => ({
        type: 'budget.reached',
        organizationId: id,
        cause: `budget.reached:${id}:${month}:${budget}`,
        data: { organization_id: id, month, used_micros: used, budget_micros: budget },
        atMs,
      }),
    )
    await insertEvents(db, events)
  }),

  reportExpiringKeys: write(async (db, { atMs, untilMs, limit }) => {
    const { rows } = await sql<{ id: string; organization_id: string; name: string; expires_at_ms: number }>`
      select id, organization_id, name, expires_at_ms from api_keys
      where expires_at_ms > ${atMs} and expires_at_ms <= ${untilMs} and revoked_at_ms is null
        and not exists (
          select 1 from events where events.organization_id = 'operator'
            and events.cause = 'key.expiring:' || api_keys.id || ':' || expires_at_ms
        )
      order by expires_at_ms limit ${limit}`.execute(db)
    const events = rows.map(
      ({ id, organization_id, name, expires_at_ms: expiresAtMs }): NewEvent => ({
        type: 'key.expiring',
        organizationId: organization_id,
        cause: `key.expiring:${id}:${expiresAtMs}`,
        data: { organization_id, key_id: id, name, expires_at: new Date(expiresAtMs).toISOString() },
        atMs,
      }),
    )
    await insertEvents(db, events)
  }),

  reportOutages: write(async (db, { down, up, atMs, forgetAfterMs }) => {
    const events: NewEvent[] = []
    for (const provider of down) {
      const { rows } = await sql<{ since_ms: number }>`
        insert into provider_outages (provider, since_ms, seen_at_ms) values (${provider}, ${atMs}, ${atMs})
        on conflict (provider) do update set seen_at_ms = excluded.seen_at_ms
        returning since_ms`.execute(db)
      if (rows[0]?.since_ms !== atMs) continue
      const about = { organizationId: null, cause: `provider.down:${provider}:${atMs}`, atMs }
      events.push({ type: 'provider.down', ...about, data: { provider } })
    }
    const seen = up.length === 0 ? sql`` : sql`provider in (${sql.join(up)}) or`
    const ended = await sql<{ provider: string; since_ms: number }>`
      delete from provider_outages where ${seen} seen_at_ms < ${atMs - forgetAfterMs}
      returning provider, since_ms`.execute(db)
    for (const { provider, since_ms: sinceMs } of ended.rows) {
      const about = { organizationId: null, cause: `provider.up:${provider}:${sinceMs}`, atMs }
      const data = { provider, down_since: new Date(sinceMs).toISOString() }
      events.push({ type: 'provider.up', ...about, data })
    }
    await insertEvents(db, events)
  }),
} satisfies Partial<StatementsOf<EventStore>>

export function revokedEvent(organizationId: string, groupId: string, atMs: number): NewEvent {
  return {
    type: 'person.revoked',
    organizationId,
    cause: `person.revoked:${groupId}`,
    data: { organization_id: organizationId, group_id: groupId, revoked_at: new Date(atMs).toISOString() },
    atMs,
  }
}
