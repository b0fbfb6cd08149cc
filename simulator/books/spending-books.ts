import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Violation } from './violation.ts'

interface Sums {
  id: string
  /** Day by the clock of the replica that took the request; empty for a key, whose month a run never leaves. */
  day: string
  text: number
  /** The most expensive request so far, of any user. */
  dearest: number
  videos: number
  held: number
  /** Cost of videos beyond their estimates. */
  excess: number
  refunds: number
}

interface SpendingLimit {
  limitMicros: number
  fromMs: number
  /** Micros spent and held by day, read as soon as every replica knows the limit; undefined before. */
  base: Map<string, number> | undefined
  /** Number of requests that may exceed the limit: one on each replica, and those that ran when the limit changed. */
  uncovered: number
  /** Shared buckets were lost meanwhile: each replica then enforces the limit by itself. */
  wasAlone: boolean
  /** Held money at the last check. */
  held: number | undefined
}

/** Subjects of limits, with their tables. */
const SUBJECTS = {
  user: {
    ...{ table: 'users', column: 'user_id', rule: 'daily-limit', isOfDay: 'and day = s.day' },
    spans: `select user_id as id, day from text_usage union select user_id, day from holds where day is not null`,
  },
  /** The store checks the budget of a key at each hold: exactly, and without the cache. */
  key: {
    ...{ table: 'api_keys', column: 'api_key_id', rule: 'key-budget', isOfDay: '' },
    spans: `select id, '' as day from api_keys`,
  },
} as const

/** A running server sees a changed row within 5 seconds, plus the time of slow answers. */
const SEEN_WITHIN_MS = 8_000
/** Maximum number of running requests of a client when a limit changes. */
const RUNNING_MAX = 4

/**
 * Checks the daily limits of users and the monthly budgets of keys. Spending may exceed a limit by the excess of videos over
 * their estimates, and by requests whose cost is known only at their end: one on each replica, and those that ran when the
 * limit changed. A run may see two days, at midnight or when a replica's clock jumps over it: such a replica counts on the
 * day of its own clock (docs/decisions/0013-clocks.md), and each day has its own limit.
 */
export class SpendingBooks {
  readonly #of: keyof typeof SUBJECTS
  readonly #sums: StatementSync
  readonly #limits = new Map<string, SpendingLimit>()
  readonly #nowMs: () => number
  readonly #replicas: number
  #outageUntilMs = 0

  constructor({
    of,
    database,
    nowMs,
    replicas,
  }: {
    of: keyof typeof SUBJECTS
    database: DatabaseSync
    nowMs: () => number
    replicas: number
  }) {
    this.#of = of
    this.#nowMs = nowMs
    this.#replicas = replicas
    const { table, column, isOfDay, spans } = SUBJECTS[of]
    this.#sums = database.prepare(`
      select s.id, s.day,
        (select coalesce(sum(cost_micros), 0) from text_usage where ${column} = s.id ${isOfDay}) as text,
        (select coalesce(max(cost_micros), 0) from text_usage) as dearest,
        (select coalesce(sum(e.loss_micros - e.amount_micros), 0) from ledger_entries e join holds h on h.id = e.hold_id
          where h.${column} = s.id ${isOfDay} and e.kind = 'settlement') as videos,
        (select coalesce(sum(amount_micros), 0) from holds where ${column} = s.id ${isOfDay} and state = 'open') as held,
        (select coalesce(sum(max(0, e.loss_micros - e.amount_micros - h.amount_micros)), 0)
          from ledger_entries e join holds h on h.id = e.hold_id
          where h.${column} = s.id ${isOfDay} and e.kind = 'settlement') as excess,
        (select coalesce(sum(amount_micros), 0) from ledger_entries e
          where e.organization_id = u.organization_id and e.kind = 'refund') as refunds
      from (${spans}) s join ${table} u on u.id = s.id`)
  }

  /** undefined: there is no limit, or it is being changed. */
  limit(id: string, limitMicros: number | undefined): void {
    if (limitMicros === undefined) this.#limits.delete(id)
    else {
      const nowMs = this.#nowMs()
      this.#limits.set(id, {
        ...{ limitMicros, fromMs: Math.max(nowMs, this.#outageUntilMs) + SEEN_WITHIN_MS, base: undefined },
        ...{
          uncovered: this.#replicas + RUNNING_MAX,
          wasAlone: nowMs < this.#outageUntilMs,
          held: undefined,
        },
      })
    }
  }

  replicaStarted(): void {
    for (const limit of this.#limits.values()) limit.uncovered += 1
  }

  /** An engine cannot be reached until then: no change is seen meanwhile. */
  outage(untilMs: number): void {
    this.#outageUntilMs = Math.max(this.#outageUntilMs, untilMs)
    for (const limit of this.#limits.values()) {
      limit.wasAlone = true
      limit.fromMs = Math.max(limit.fromMs, untilMs + SEEN_WITHIN_MS)
      limit.base = undefined
    }
  }

  check(): void {
    if (this.#limits.size === 0) return
    const rows = this.#sums.all() as unknown as Sums[]
    for (const [id, limit] of this.#limits) {
      const days = rows.filter((row) => row.id === id)
      if (this.#of === 'key') for (const sums of days) this.#checkHeld(sums, limit)
      if (this.#nowMs() < limit.fromMs) continue
      limit.base ??= new Map(days.map((sums) => [sums.day, spentOf(sums)]))
      for (const sums of days) this.#checkOne(sums, limit, limit.base.get(sums.day) ?? 0)
    }
  }

  /** Each transaction that holds money checks the budget. */
  #checkHeld({ id, text, videos, held, refunds }: Sums, limit: SpendingLimit): void {
    const isMore = held > (limit.held ?? held)
    limit.held = held
    if (isMore && text + videos + held - refunds > limit.limitMicros)
      throw new Violation(
        'key-budget',
        `${id} has spent ${text + videos} micros, holds ${held}, and may spend ${limit.limitMicros} in the month`,
      )
  }

  #checkOne(sums: Sums, { limitMicros, uncovered, wasAlone }: SpendingLimit, base: number): void {
    const { id, dearest, excess, refunds } = sums
    const spent = spentOf(sums)
    const alone = wasAlone && this.#of === 'user' ? limitMicros * uncovered : 0
    const most = Math.max(limitMicros, base) + uncovered * dearest + excess + refunds + alone
    if (spent > most)
      throw new Violation(
        SUBJECTS[this.#of].rule,
        `${id} has spent ${spent} micros${sums.day && ` on ${sums.day}`}, its limit is ${limitMicros}, with the bound ${most}`,
      )
  }
}

function spentOf({ text, videos, held }: Sums): number {
  return text + videos + held
}
