import type { Clock } from '../../ports/clock.ts'
import type { BreakerHealth } from '../../ports/installation.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import {
  type BreakerOutcome,
  type BreakerPass,
  type BreakerRules,
  type BreakerState,
  breakerWaitMs,
  CLOSED_BREAKER,
} from './breaker.ts'
import { BreakerGuard } from './breaker-guard.ts'
import { type FailureKind, NetworkError } from './network-error.ts'
import { classOfStatus } from './receiver.ts'

/** Model or operation of an upstream, and the organization of the call. */
export interface BreakerSubject {
  target: string
  holder: string
  /** true: the call repeats a failed call. A closed breaker has counted that failure and counts no second one. */
  isRepeat?: boolean | undefined
}

/**
 * Keeps the breakers of one upstream, counts the outcomes of its calls, and logs changes of their states. Each target
 * has one breaker for all organizations, and one more for each organization whose recent calls failed.
 */
export interface BreakerKeeper {
  /** true when all breakers of this upstream are closed, so that `isOpen` is false for every subject. */
  readonly areBreakersClosed: boolean
  /** Tells whether a call would be refused now. Changes nothing. */
  isOpen(subject: BreakerSubject): boolean
  /** Throws `breaker-open` when a call would be refused now. */
  refuseWhileOpen(subject: BreakerSubject): void
  /** Admits a call, which must be reported, or throws like `refuseWhileOpen`. */
  admit(subject: BreakerSubject): BreakerAdmission
  /** Counts the status or the failure of a call. Only the first report of an admission counts. */
  report(admission: BreakerAdmission, status: number, failure?: FailureKind): void
  /** Stops showing these breakers in logs and metrics, because another keeper has taken this name. */
  hide(): void
}

export interface BreakerAdmission {
  target: BreakerTarget
  holder: string
  pass: BreakerPass
  ownPass: BreakerPass
  isRepeat: boolean
  /** true: the outcome is reported with the head of the response, because a stream may last for minutes. */
  isProbe: boolean
  isReported: boolean
}

interface BreakerTarget {
  name: string
  shared: BreakerGuard
  /** Breakers of organizations whose recent calls failed. */
  own: Map<string, BreakerGuard>
}

/** Number of breakers of single organizations at which a target drops the oldest closed one before it adds another. */
const OWN_GUARDS_MAX = 1_000
/** Maximum number of an upstream's breakers that operators see; open ones come first. */
const SHOWN_MAX = 100
const CLOSED_PASS: BreakerPass = { generation: CLOSED_BREAKER.generation, isProbe: false }

export function createBreakerKeeper(tools: {
  name: string
  rules: BreakerRules
  metrics: Metrics
  log: Log
  clock: Clock
}): BreakerKeeper {
  const { name, rules, metrics, log, clock } = tools
  const targets = new Map<string, BreakerTarget>()
  let shown: BreakerState['kind'] = 'closed'
  let areBreakersClosed = true
  let isHidden = false
  metrics.breakerMoved({ provider: name, state: shown })
  metrics.watchBreakers(name, () => listBreakers(targets.values()))

  function targetOf(targetName: string): BreakerTarget {
    const known = targets.get(targetName)
    if (known !== undefined) return known
    const shared = new BreakerGuard(rules, clock, { isForSeveral: true })
    const target = { name: targetName, shared, own: new Map() }
    targets.set(targetName, target)
    return target
  }

  function refusalOf(target: BreakerTarget, holder: string): NetworkError | undefined {
    const own = target.own.get(holder)
    if (target.shared.state.kind === 'closed' && own === undefined) return undefined
    const now = { holder, nowMs: clock.monotonicMs() }
    const waitMs = breakerWaitMs(target.shared.state, now)
    if (waitMs > 0) return breakerOpen(waitMs, 'all')
    const ownWaitMs = own === undefined ? 0 : breakerWaitMs(own.state, now)
    return ownWaitMs > 0 ? breakerOpen(ownWaitMs, 'organization') : undefined
  }

  function count(admission: BreakerAdmission, outcome: BreakerOutcome, cause: string): void {
    const { target, holder, pass, ownPass, isRepeat } = admission
    const nowMs = clock.monotonicMs()
    const { shared, own } = target
    // Fast path for nearly every call.
    if (outcome === 'success' && shared.state.kind === 'closed' && own.size === 0) {
      if (pass.generation === shared.state.generation) shared.tally.succeeded(holder, nowMs)
      return
    }
    if (shared.report({ pass, holder, outcome, cause, isRepeat }, nowMs)) {
      if (shared.state.kind === 'closed') own.clear()
      logMove(target)
    }
    const guard = own.get(holder) ?? (outcome === 'failure' ? addOwn(own, holder) : undefined)
    if (guard === undefined) {
      show()
      return
    }
    const hasMoved = guard.report({ pass: ownPass, holder, outcome, cause, isRepeat }, nowMs)
    if (hasMoved && !isHidden && guard.state.kind === 'open')
      log.warn('breaker.opened_for_organization', {
        provider: name,
        operation: target.name,
        organizationId: holder,
        durationMs: guard.state.openForMs,
      })
    if (guard.state.kind === 'closed' && guard.tally.isClean) own.delete(holder)
    show()
  }

  function addOwn(own: Map<string, BreakerGuard>, holder: string): BreakerGuard {
    if (own.size >= OWN_GUARDS_MAX) {
      const [closed] = [...own].find(([, { state }]) => state.kind === 'closed') ?? []
      if (closed !== undefined) own.delete(closed)
    }
    const guard = new BreakerGuard(rules, clock, { isForSeveral: false })
    own.set(holder, guard)
    return guard
  }

  /** Shows the worst state. A breaker of one organization counts only if no other organization calls the target. */
  function show(): void {
    areBreakersClosed = targets
      .values()
      .every(({ shared, own }) => [shared, ...own.values()].every(({ state }) => state.kind === 'closed'))
    const kinds = [...targets.values()].flatMap(({ shared, own }) => {
      const guards = shared.tally.holders > 1 ? [shared] : [shared, ...own.values()]
      return guards.map(({ state }) => state.kind)
    })
    const worst = kinds.includes('open') ? 'open' : kinds.includes('half-open') ? 'half-open' : 'closed'
    if (worst !== shown && !isHidden) metrics.breakerMoved({ provider: name, state: worst })
    shown = worst
  }

  function logMove({ name: operation, shared: { state } }: BreakerTarget): void {
    show()
    if (isHidden) return
    if (state.kind === 'open')
      log.warn('breaker.opened', { provider: name, operation, durationMs: state.openForMs })
    if (state.kind === 'closed') log.info('breaker.closed', { provider: name, operation })
  }

  return {
    get areBreakersClosed() {
      return areBreakersClosed
    },
    isOpen({ target, holder }) {
      const known = targets.get(target)
      return known !== undefined && refusalOf(known, holder) !== undefined
    },
    refuseWhileOpen({ target, holder }) {
      const known = targets.get(target)
      const refusal = known && refusalOf(known, holder)
      if (refusal !== undefined) throw refusal
    },
    admit({ target: targetName, holder, isRepeat = false }) {
      const target = targetOf(targetName)
      const refusal = refusalOf(target, holder)
      if (refusal !== undefined) throw refusal
      const nowMs = clock.monotonicMs()
      const { shared, own } = target
      const pass = shared.enter(nowMs)
      const guard = own.get(holder)
      const ownPass = guard === undefined ? CLOSED_PASS : guard.enter(nowMs)
      const isProbe = pass.isProbe || ownPass.isProbe
      if (isProbe) show()
      return { target, holder, pass, ownPass, isRepeat, isProbe, isReported: false }
    },
    report(admission, status, failure) {
      if (admission.isReported) return
      admission.isReported = true
      // A 4xx, even 429, proves that the upstream works.
      if (failure === undefined)
        count(admission, status >= 500 ? 'failure' : 'success', classOfStatus(status))
      else count(admission, OUTCOMES[failure], failure)
    },
    hide() {
      isHidden = true
    },
  }
}

/** Lists the shared breaker of each target, and breakers of single organizations that are not closed. */
function listBreakers(targets: Iterable<BreakerTarget>): BreakerHealth[] {
  const all = [...targets].flatMap(({ name, shared, own }) => [
    shared.healthFor(name, null),
    ...[...own]
      .filter(([, { state }]) => state.kind !== 'closed')
      .map(([organizationId, guard]) => guard.healthFor(name, organizationId)),
  ])
  return all.toSorted((one, other) => RANKS[one.state] - RANKS[other.state]).slice(0, SHOWN_MAX)
}

const RANKS: Record<BreakerState['kind'], number> = { open: 0, 'half-open': 1, closed: 2 }

function breakerOpen(retryAfterMs: number, scope: 'all' | 'organization'): NetworkError {
  return new NetworkError('breaker-open', { taken: 'no', retryAfterMs, scope })
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
