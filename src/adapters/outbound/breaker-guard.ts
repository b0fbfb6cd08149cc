import type { Clock } from '../../ports/clock.ts'
import type { BreakerHealth } from '../../ports/installation.ts'
import {
  admitCall,
  type BreakerOutcome,
  type BreakerPass,
  type BreakerRules,
  type BreakerState,
  CLOSED_BREAKER,
  recordOutcome,
} from './breaker.ts'
import { FailureTally } from './failure-tally.ts'

/** Outcome of an admitted call, as the breaker counts it. */
export interface CallOutcome {
  pass: BreakerPass
  holder: string
  outcome: BreakerOutcome
  /** Cause of a failure: a status class such as `5xx`, or a `FailureKind`. */
  cause: string
  isRepeat: boolean
}

/** One breaker, with its counts and the state that operators see. */
export class BreakerGuard {
  state: BreakerState = CLOSED_BREAKER
  readonly tally: FailureTally
  readonly #rules: BreakerRules
  readonly #clock: Clock
  /** Time of the last move to or from closed; null: none since the start. */
  #sinceMs: number | null = null
  /** Number of failures that opened the breaker, and of probes that failed since. */
  #failures = 0
  #lastFailure: BreakerHealth['lastFailure'] = null
  #nextTryMs: number | null = null

  constructor(rules: BreakerRules, clock: Clock, options: { isForSeveral: boolean }) {
    this.#rules = rules
    this.#clock = clock
    this.tally = new FailureTally(rules, options)
  }

  enter(nowMs: number): BreakerPass {
    const { state, pass } = admitCall(this.state, nowMs)
    this.#moveTo(state, nowMs)
    return pass
  }

  /** Counts a call. Returns true when the state of the breaker changed. */
  report(call: CallOutcome, nowMs: number): boolean {
    const before = this.state
    const isCounted = call.pass.generation === before.generation
    const next = recordOutcome(
      before,
      { ...call, nowMs, isTooMuch: this.#isTooMuch(call, nowMs) },
      this.#rules,
    )
    this.#moveTo(next, nowMs)
    if (isCounted && call.outcome === 'failure') this.#noteFailure(call, before.kind)
    if ((next.kind === 'closed') !== (before.kind === 'closed')) this.#sinceMs = this.#clock.nowMs()
    if (next.kind === 'closed' && before.kind !== 'closed') this.tally.reset()
    return next.kind !== before.kind
  }

  healthFor(target: string, organizationId: string | null): BreakerHealth {
    const { kind } = this.state
    return {
      target,
      organizationId,
      state: kind,
      sinceMs: this.#sinceMs,
      failures: kind === 'closed' ? this.tally.inARow : this.#failures,
      lastFailure: this.#lastFailure,
      nextTryMs: this.#nextTryMs,
    }
  }

  #isTooMuch({ pass, holder, outcome, isRepeat }: CallOutcome, nowMs: number): boolean {
    const { state, tally } = this
    if (state.kind !== 'closed' || pass.generation !== state.generation) return false
    if (outcome === 'success') tally.succeeded(holder, nowMs)
    return outcome === 'failure' && !isRepeat && tally.failed(holder, nowMs)
  }

  #noteFailure({ cause }: CallOutcome, before: BreakerState['kind']): void {
    this.#failures = before === 'closed' ? this.tally.failures : this.#failures + 1
    this.#lastFailure = { atMs: this.#clock.nowMs(), outcome: cause }
  }

  #moveTo(next: BreakerState, nowMs: number): void {
    if (next === this.state) return
    this.state = next
    if (next.kind === 'closed') this.#nextTryMs = null
    else {
      const tryMs = next.kind === 'open' ? next.untilMs : next.nextProbeMs
      this.#nextTryMs = Math.round(this.#clock.nowMs() + tryMs - nowMs)
    }
  }
}
