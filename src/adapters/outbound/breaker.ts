/**
 * Spares an upstream that is down, and spares callers the wait for it.
 *
 *            too many failures                     its time is over, and a call comes
 *   closed ---------------------> open (5 s) ----------------------------------------> half-open
 *     ^                            ^   ^                                                 | | |
 *     |                            |   +-- the probe fails: open twice as long, to 60 s -+ | |
 *     |                            +------ the probe says nothing: the next call probes ---+ |
 *     +----------------------------------- the probe succeeds -------------------------------+
 *
 * Half-open means that one call, the probe, is under way; every other call is refused meanwhile.
 * Each move starts a new generation: what a call of an older one reports no longer counts.
 */
export type BreakerState =
  | { kind: 'closed'; generation: number; failuresInARow: number; window: Window }
  | { kind: 'open'; generation: number; untilMs: number; openForMs: number }
  | { kind: 'half-open'; generation: number; openForMs: number }

interface Window {
  startMs: number
  calls: number
  failures: number
}

export interface BreakerRules {
  failuresInARowToOpen: number
  /** Also opens when this share of the calls of one window failed, once there were enough to judge. */
  failureShareToOpen: number
  windowMs: number
  windowCallsMin: number
  openMsMin: number
  openMsMax: number
}

export const DEFAULT_BREAKER_RULES: BreakerRules = {
  failuresInARowToOpen: 5,
  failureShareToOpen: 0.5,
  windowMs: 10_000,
  windowCallsMin: 20,
  openMsMin: 5_000,
  openMsMax: 60_000,
}

/** What an admitted call must hand back with its outcome. */
export interface BreakerPass {
  generation: number
  isProbe: boolean
}

/** `unknown`: the call ended for a reason that says nothing about the upstream, such as a client that left. */
export type BreakerOutcome = 'success' | 'failure' | 'unknown'

export const CLOSED_BREAKER: BreakerState = closed(0)

/** How long a call would have to wait; 0 when it may go. Changes nothing. */
export function breakerWaitMs(state: BreakerState, nowMs: number): number {
  if (state.kind === 'closed') return 0
  // Nobody knows how long the probe will take; what it waited itself is a fair guess.
  return state.kind === 'open' ? Math.max(0, state.untilMs - nowMs) : state.openForMs
}

/** Call only when `breakerWaitMs` is 0. */
export function admitCall(state: BreakerState): { state: BreakerState; pass: BreakerPass } {
  if (state.kind === 'closed') return { state, pass: { generation: state.generation, isProbe: false } }
  const generation = state.generation + 1
  return {
    state: { kind: 'half-open', generation, openForMs: state.openForMs },
    pass: { generation, isProbe: true },
  }
}

export function tellBreaker(
  state: BreakerState,
  report: { pass: BreakerPass; outcome: BreakerOutcome; nowMs: number },
  rules: BreakerRules,
): BreakerState {
  if (report.pass.generation !== state.generation) return state
  if (state.kind === 'closed') return tellClosed(state, report, rules)
  if (state.kind === 'open') return state
  const generation = state.generation + 1
  if (report.outcome === 'success') return closed(generation)
  const isFailure = report.outcome === 'failure'
  const openForMs = isFailure ? Math.min(state.openForMs * 2, rules.openMsMax) : state.openForMs
  return { kind: 'open', generation, openForMs, untilMs: report.nowMs + (isFailure ? openForMs : 0) }
}

function tellClosed(
  state: BreakerState & { kind: 'closed' },
  { outcome, nowMs }: { outcome: BreakerOutcome; nowMs: number },
  rules: BreakerRules,
): BreakerState {
  if (outcome === 'unknown') return state
  const failed = outcome === 'failure' ? 1 : 0
  const isSameWindow = nowMs - state.window.startMs < rules.windowMs
  const window = isSameWindow
    ? { ...state.window, calls: state.window.calls + 1, failures: state.window.failures + failed }
    : { startMs: nowMs, calls: 1, failures: failed }
  const failuresInARow = failed === 1 ? state.failuresInARow + 1 : 0
  const isTooManyInWindow =
    window.calls >= rules.windowCallsMin && window.failures >= window.calls * rules.failureShareToOpen
  if (failuresInARow < rules.failuresInARowToOpen && !isTooManyInWindow) {
    return { ...state, failuresInARow, window }
  }
  const openForMs = rules.openMsMin
  return { kind: 'open', generation: state.generation + 1, openForMs, untilMs: nowMs + openForMs }
}

function closed(generation: number): BreakerState {
  return { kind: 'closed', generation, failuresInARow: 0, window: { startMs: 0, calls: 0, failures: 0 } }
}
