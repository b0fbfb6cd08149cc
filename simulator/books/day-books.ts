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

interface DayLimit {
  limitMicros: number
  fromMs: number
  /** What was spent and held when every replica knew the limit; undefined until then. */
  base: number | undefined
  /** Replicas that started since, and requests of before that were still running. */
  uncovered: number
  /** Shared buckets were lost meanwhile: each replica then keeps the limit by itself. */
  wasAlone: boolean
}

/** A running server sees a changed row within 5 seconds, plus what slow answers take. */
const SEEN_WITHIN_MS = 8_000
/** What one client may have running when a limit changes. */
const RUNNING_MAX = 4

/**
 * The daily limits of users, by the bound that the documents give: what is spent stays within the limit, but for one
 * request on each replica, whose cost is known only at its end. A run is shorter than a day.
 */
export class DayBooks {
  readonly #sums: StatementSync
  readonly #limits = new Map<string, DayLimit>()
  readonly #nowMs: () => number
  readonly #replicas: number
  #outageUntilMs = 0

  constructor({
    database,
    nowMs,
    replicas,
  }: {
    database: DatabaseSync
    nowMs: () => number
    replicas: number
  }) {
    this.#nowMs = nowMs
    this.#replicas = replicas
    this.#sums = database.prepare(`
      select u.id,
        (select coalesce(sum(cost_micros), 0) from text_usage where user_id = u.id) as text,
        (select coalesce(max(cost_micros), 0) from text_usage) as dearest,
        (select coalesce(sum(e.loss_micros - e.amount_micros), 0) from ledger_entries e join holds h on h.id = e.hold_id
          where h.user_id = u.id and e.kind = 'settlement') as videos,
        (select coalesce(sum(amount_micros), 0) from holds where user_id = u.id and state = 'open' and kind = 'task') as held,
        (select coalesce(sum(max(0, e.loss_micros - e.amount_micros - h.amount_micros)), 0)
          from ledger_entries e join holds h on h.id = e.hold_id
          where h.user_id = u.id and e.kind = 'settlement') as excess,
        (select coalesce(sum(amount_micros), 0) from ledger_entries e
          where e.organization_id = u.organization_id and e.kind = 'refund') as refunds
      from users u`)
  }

  /** undefined: there is none, or it is being changed. */
  limit(userId: string, limitMicros: number | undefined): void {
    if (limitMicros === undefined) this.#limits.delete(userId)
    else {
      const nowMs = this.#nowMs()
      this.#limits.set(userId, {
        ...{ limitMicros, fromMs: Math.max(nowMs, this.#outageUntilMs) + SEEN_WITHIN_MS, base: undefined },
        ...{ uncovered: this.#replicas + RUNNING_MAX, wasAlone: nowMs < this.#outageUntilMs },
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
      if (limit !== undefined && this.#nowMs() >= limit.fromMs) this.#checkOne(sums, limit)
    }
  }

  #checkOne({ id, text, dearest, videos, held, excess, refunds }: Sums, limit: DayLimit): void {
    const { limitMicros, uncovered, wasAlone } = limit
    const spent = text + videos + held
    limit.base ??= spent
    const alone = wasAlone ? limitMicros * uncovered : 0
    const most = Math.max(limitMicros, limit.base) + uncovered * dearest + excess + refunds + alone
    if (spent > most)
      throw new Violation(
        'daily-limit',
        `${id} has spent ${spent} micros, its limit is ${limitMicros}, with the bound ${most}`,
      )
  }
}
