import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Violation } from './violation.ts'

interface Sums {
  id: string
  text: number
  /** The dearest request so far, of any user. */
  dearest: number
  videos: number
  held: number
  /** What videos cost beyond their estimates. */
  excess: number
  refunds: number
}

interface SpendingLimit {
  limitMicros: number
  fromMs: number
  /** What was spent and held when every replica knew the limit; undefined until then. */
  base: number | undefined
  /** Replicas that started since, and requests of before that were still running. */
  uncovered: number
  /** Shared buckets were lost meanwhile: each replica then keeps the limit by itself. */
  wasAlone: boolean
  /** At the last look. */
  held: number | undefined
}

/** Whose spending is limited, and how. */
const SUBJECTS = {
  user: { table: 'users', column: 'user_id', rule: 'daily-limit' },
  /** Money is set aside only within the budget, in the store: it is kept without the cache, and exactly. */
  key: { table: 'api_keys', column: 'api_key_id', rule: 'key-budget' },
} as const

/** A running server sees a changed row within 5 seconds, plus what slow answers take. */
const SEEN_WITHIN_MS = 8_000
/** What one client may have running when a limit changes. */
const RUNNING_MAX = 4

/**
 * The daily limits of users and the monthly budgets of keys, by the bound that the documents give: what is spent stays
 * within the limit, but for one request on each replica, whose cost is known only at its end. A run is shorter than a day.
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
    const { table, column } = SUBJECTS[of]
    this.#sums = database.prepare(`
      select u.id,
        (select coalesce(sum(cost_micros), 0) from text_usage where ${column} = u.id) as text,
        (select coalesce(max(cost_micros), 0) from text_usage) as dearest,
        (select coalesce(sum(e.loss_micros - e.amount_micros), 0) from ledger_entries e join holds h on h.id = e.hold_id
          where h.${column} = u.id and e.kind = 'settlement') as videos,
        (select coalesce(sum(amount_micros), 0) from holds where ${column} = u.id and state = 'open') as held,
        (select coalesce(sum(max(0, e.loss_micros - e.amount_micros - h.amount_micros)), 0)
          from ledger_entries e join holds h on h.id = e.hold_id
          where h.${column} = u.id and e.kind = 'settlement') as excess,
        (select coalesce(sum(amount_micros), 0) from ledger_entries e
          where e.organization_id = u.organization_id and e.kind = 'refund') as refunds
      from ${table} u`)
  }

  /** undefined: there is none, or it is being changed. */
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

  /** An engine cannot be reached until then: nothing new is seen meanwhile. */
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
    for (const row of this.#sums.all()) {
      const sums = row as unknown as Sums
      const limit = this.#limits.get(sums.id)
      if (limit === undefined) continue
      if (this.#of === 'key') this.#checkHeld(sums, limit)
      if (this.#nowMs() >= limit.fromMs) this.#checkOne(sums, limit)
    }
  }

  /** Each transaction that sets money aside looks at the budget. */
  #checkHeld({ id, text, videos, held, refunds }: Sums, limit: SpendingLimit): void {
    const isMore = held > (limit.held ?? held)
    limit.held = held
    if (isMore && text + videos + held - refunds > limit.limitMicros)
      throw new Violation(
        'key-budget',
        `${id} has spent ${text + videos} micros, holds ${held}, and may spend ${limit.limitMicros} in the month`,
      )
  }

  #checkOne({ id, text, dearest, videos, held, excess, refunds }: Sums, limit: SpendingLimit): void {
    const { limitMicros, uncovered, wasAlone } = limit
    const spent = text + videos + held
    limit.base ??= spent
    const alone = wasAlone && this.#of === 'user' ? limitMicros * uncovered : 0
    const most = Math.max(limitMicros, limit.base) + uncovered * dearest + excess + refunds + alone
    if (spent > most)
      throw new Violation(
        SUBJECTS[this.#of].rule,
        `${id} has spent ${spent} micros, its limit is ${limitMicros}, with the bound ${most}`,
      )
  }
}
