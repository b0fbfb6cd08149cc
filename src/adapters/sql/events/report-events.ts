import { sql } from 'kysely'
import type { EventData, NewEvent } from '../../../domain/events/event.ts'
import type { EventStore } from '../../../ports/events.ts'
import { type StatementsOf, write } from '../statement.ts'
import { insertEvents, insertEventsOf } from './insert-events.ts'

/** Statements that find causes of events, and remember them in the transaction of the event. */
export const REPORT_EVENTS = {
  /**
   * Reports each organization once, until a credit or a new threshold clears its `*_told_at_ms` columns. First locks these
   * organizations in the order of `write-usage.ts`, because a scan in another order could end in a deadlock. So could a
   * single statement that locks and updates: it would lock a row again that changed after the statement began.
   */
  reportBalances: write(async (db, { refused, atMs }, { lockRows }) => {
    const at = sql`cast(${atMs} as bigint)`
    const isLow = sql`low_balance_micros is not null and low_balance_told_at_ms is null
      and balance_micros < low_balance_micros and disabled_at_ms is null`
    const isRefused = refused.length === 0 ? sql`1 = 0` : sql`id in (${sql.join(refused)})`
    const isEmpty = sql`${isRefused} and empty_balance_told_at_ms is null`
    const { rows: due } = await sql<{ id: string }>`
      select id from organizations where ${isLow} or ${isEmpty} order by id ${lockRows}`.execute(db)
    if (due.length === 0) return
    const { rows } = await sql<EventData['balance.low'] & { lowAtMs: number; emptyAtMs: number }>`
      update organizations
      set low_balance_told_at_ms = case when ${isLow} then ${at} else low_balance_told_at_ms end,
        empty_balance_told_at_ms = case when ${isEmpty} then ${at} else empty_balance_told_at_ms end
      where id in (${sql.join(due.map(({ id }) => id))})
      returning id as organization_id, balance_micros, low_balance_micros as threshold_micros,
        low_balance_told_at_ms as "lowAtMs", empty_balance_told_at_ms as "emptyAtMs"`.execute(db)
    const low = rows.filter(({ lowAtMs }) => lowAtMs === atMs)
    const empty = rows.filter(({ emptyAtMs }) => emptyAtMs === atMs)
    await insertEventsOf(
      db,
      'balance.low',
      low.map(({ lowAtMs: _low, emptyAtMs: _empty, ...data }) => data),
      { atMs },
    )
    await insertEventsOf(
      db,
      'balance.empty',
      empty.map(({ organization_id, balance_micros }) => ({ organization_id, balance_micros })),
      { atMs },
    )
  }),

  reportSpentBudgets: write(async (db, { month, atMs }) => {
    const { rows } = await sql<EventData['budget.reached']>`
      select id as organization_id, budget_month as month, budget_used_micros as used_micros,
        monthly_budget_micros as budget_micros
      from organizations where monthly_budget_micros is not null and budget_month = ${month}
        and budget_used_micros >= monthly_budget_micros and disabled_at_ms is null
        and not exists (
          select 1 from events where events.organization_id = 'operator'
            and events.cause = 'budget.reached:' || organizations.id || ':' || ${month} || ':' || monthly_budget_micros
        )`.execute(db)
    const occasionOf = (row: (typeof rows)[number]) => `${month}:${row.budget_micros}`
    await insertEventsOf(db, 'budget.reached', rows, { atMs, occasionOf })
  }),

  /** Locks the keys, so that an erasure at the same moment finds the events with their names. */
  reportExpiringKeys: write(async (db, { atMs, untilMs, limit }, { lockRowsSkippingLocked }) => {
    const { rows } = await sql<{ id: string; organization_id: string; name: string; expires_at_ms: number }>`
      select id, organization_id, name, expires_at_ms from api_keys
      where expires_at_ms > ${atMs} and expires_at_ms <= ${untilMs} and revoked_at_ms is null
        and not exists (
          select 1 from events where events.organization_id = 'operator'
            and events.cause = 'key.expiring:' || api_keys.id || ':' || expires_at_ms
        )
      order by expires_at_ms limit ${limit} ${lockRowsSkippingLocked}`.execute(db)
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
