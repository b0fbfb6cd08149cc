import type { BreakerRules } from './breaker.ts'

/** Minimum failures outside the organization that failed most, which alone must not open the breaker for all. */
const FAILURES_OF_OTHERS_MIN = 2

/**
 * Counts outcomes of calls and decides when there were too many failures. A breaker of several organizations opens only
 * when the rule also holds without the organization that failed most, because a client can provoke its own failures.
 */
export class FailureTally {
  readonly #rules: BreakerRules
  readonly #isForSeveral: boolean
  /** Failures of each holder since the last success of any holder; `#inARow` is their sum. */
  readonly #row = new Map<string, number>()
  #inARow = 0
  #windowStartMs = Number.NEGATIVE_INFINITY
  #window: Counts = { calls: 0, failures: 0 }
  readonly #windowBy = new Map<string, Counts>()

  constructor(rules: BreakerRules, { isForSeveral }: { isForSeveral: boolean }) {
    this.#rules = rules
    this.#isForSeveral = isForSeveral
  }

  get isClean(): boolean {
    return this.#inARow === 0 && this.#window.failures === 0
  }

  /** Number of organizations with calls in the current window. */
  get holders(): number {
    return this.#windowBy.size
  }

  /** Failures since the last success. */
  get inARow(): number {
    return this.#inARow
  }

  /** Failures since the last success or in the window, whichever are more. */
  get failures(): number {
    return Math.max(this.#inARow, this.#window.failures)
  }

  succeeded(holder: string, nowMs: number): void {
    if (this.#inARow > 0) {
      this.#inARow = 0
      this.#row.clear()
    }
    this.#countInWindow(holder, 0, nowMs)
  }

  /** Returns true when the breaker must open. */
  failed(holder: string, nowMs: number): boolean {
    this.#inARow += 1
    this.#row.set(holder, (this.#row.get(holder) ?? 0) + 1)
    this.#countInWindow(holder, 1, nowMs)
    return this.#isTooManyInARow() || this.#isTooManyInWindow()
  }

  reset(): void {
    this.#inARow = 0
    this.#row.clear()
    this.#windowStartMs = Number.NEGATIVE_INFINITY
    this.#window = { calls: 0, failures: 0 }
  }

  #countInWindow(holder: string, failures: 0 | 1, nowMs: number): void {
    if (nowMs - this.#windowStartMs >= this.#rules.windowMs) {
      this.#windowStartMs = nowMs
      this.#window = { calls: 0, failures: 0 }
      this.#windowBy.clear()
    }
    const own = this.#windowBy.get(holder)
    if (own === undefined) this.#windowBy.set(holder, { calls: 1, failures })
    else {
      own.calls += 1
      own.failures += failures
    }
    this.#window.calls += 1
    this.#window.failures += failures
  }

  #isTooManyInARow(): boolean {
    if (this.#inARow < this.#rules.failuresInARowToOpen) return false
    return !this.#isForSeveral || this.#inARow - Math.max(...this.#row.values()) >= FAILURES_OF_OTHERS_MIN
  }

  #isTooManyInWindow(): boolean {
    if (this.#window.calls < this.#rules.windowCallsMin || !this.#isShareTooLarge(this.#window)) return false
    if (!this.#isForSeveral) return true
    let worst: Counts = { calls: 0, failures: 0 }
    for (const counts of this.#windowBy.values()) if (counts.failures > worst.failures) worst = counts
    const others = {
      calls: this.#window.calls - worst.calls,
      failures: this.#window.failures - worst.failures,
    }
    return others.failures >= FAILURES_OF_OTHERS_MIN && this.#isShareTooLarge(others)
  }

  #isShareTooLarge({ calls, failures }: Counts): boolean {
    return failures >= calls * this.#rules.failureShareToOpen
  }
}

interface Counts {
  calls: number
  failures: number
}
