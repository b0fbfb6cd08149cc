import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import {
  admitCall,
  type BreakerOutcome,
  type BreakerPass,
  type BreakerRules,
  type BreakerState,
  breakerWaitMs,
  CLOSED_BREAKER,
  tellBreaker,
} from './breaker.ts'
import { type FailureKind, OutboundFailure } from './failure.ts'
import type { Flow, Head, Receiver } from './receiver.ts'

/** Keeps one upstream's breaker: feeds it the clock and the endings of calls, and tells operators when it moves. */
export interface BreakerKeeper {
  /** Throws `breaker-open` when a call would not be let through now. */
  refuseWhileOpen(): void
  /** The same, but counts the call in; every admitted call must be watched or abandoned. */
  admit(): BreakerPass
  watch(pass: BreakerPass, receiver: Receiver): Receiver
  /** For a call that never came about; after a report it changes nothing. */
  abandon(pass: BreakerPass): void
}

export function createBreakerKeeper({
  name,
  rules,
  metrics,
  log,
  clock,
}: {
  name: string
  rules: BreakerRules
  metrics: Metrics
  log: Log
  clock: Clock
}): BreakerKeeper {
  let state: BreakerState = CLOSED_BREAKER
  metrics.breakerMoved({ provider: name, state: state.kind })

  function moveTo(next: BreakerState): void {
    const isMove = next.kind !== state.kind
    state = next
    if (!isMove) return
    metrics.breakerMoved({ provider: name, state: next.kind })
    if (next.kind === 'open') log.warn('breaker opened', { provider: name, durationMs: next.openForMs })
    if (next.kind === 'closed') log.info('breaker closed', { provider: name })
  }

  function refuseWhileOpen(): void {
    if (state.kind === 'closed') return
    const retryAfterMs = breakerWaitMs(state, clock.monotonicMs())
    if (retryAfterMs > 0) throw new OutboundFailure('breaker-open', { taken: 'no', retryAfterMs })
  }

  function tell(pass: BreakerPass, outcome: BreakerOutcome): void {
    moveTo(tellBreaker(state, { pass, outcome, nowMs: clock.monotonicMs() }, rules))
  }

  return {
    refuseWhileOpen,
    admit() {
      refuseWhileOpen()
      const admitted = admitCall(state)
      moveTo(admitted.state)
      return admitted.pass
    },
    watch: (pass, receiver) => new AdmittedCall(pass, receiver, tell),
    abandon: (pass) => tell(pass, 'unknown'),
  }
}

type Tell = (pass: BreakerPass, outcome: BreakerOutcome) => void

/** Stands before a receiver and tells the breaker how the call ended. */
class AdmittedCall implements Receiver {
  readonly #pass: BreakerPass
  readonly #receiver: Receiver
  readonly #tell: Tell
  #status = 0
  #hasEnded = false

  constructor(pass: BreakerPass, receiver: Receiver, tell: Tell) {
    this.#pass = pass
    this.#receiver = receiver
    this.#tell = tell
  }

  onHead(head: Head, flow: Flow): void {
    this.#status = head.status
    // A stream may last for minutes; the others need not wait for its end to hear that the upstream is back.
    if (this.#pass.isProbe) this.#tell(this.#pass, outcomeOfStatus(head.status))
    this.#receiver.onHead(head, flow)
  }

  onChunk(chunk: Buffer): void {
    this.#receiver.onChunk(chunk)
  }

  onEnd(): void {
    this.#hasEnded = true
    this.#tell(this.#pass, outcomeOfStatus(this.#status))
    this.#receiver.onEnd()
  }

  onFailure(failure: OutboundFailure): void {
    // After its end it is the receiver that failed.
    if (!this.#hasEnded) this.#tell(this.#pass, OUTCOMES[failure.kind])
    this.#receiver.onFailure(failure)
  }
}

/** A 4xx, 429 included, is an upstream at work. */
function outcomeOfStatus(status: number): BreakerOutcome {
  return status >= 500 ? 'failure' : 'success'
}

const OUTCOMES: Record<FailureKind, BreakerOutcome> = {
  refused: 'failure',
  broken: 'failure',
  'timeout-first-byte': 'failure',
  'timeout-idle': 'failure',
  'timeout-total': 'failure',
  aborted: 'unknown',
  forbidden: 'unknown',
  stalled: 'unknown',
  'too-large': 'unknown',
  'breaker-open': 'unknown',
  busy: 'unknown',
}
