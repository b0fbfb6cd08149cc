/**
 * Stops calls to an upstream that is down.
 *
 *            too many failures                     its time is over, and a call comes
 *   closed ---------------------> open (5 s) ----------------------------------------> half-open
 *     ^                            ^   ^                                                 | | |
 *     |                            |   +-- the probe fails: open twice as long, to 60 s -+ | |
 *     |                            +------ the probe says nothing: the next call probes ---+ |
 *     +----------------------------------- the probe succeeds -------------------------------+
 *
 * Half-open means that a probe is running, and other calls are refused. When the probe takes longer than the breaker was
 * open, the next call probes too, because a client can make its own call last. The time doubles for all organizations
 * only when probes of two organizations fail in a row, because a client can make its own call fail. Each move starts a
 * new generation: outcomes of calls of an older generation do not count.
 */
export type BreakerState =
  | { kind: 'closed'; generation: number }
  | { kind: 'open'; generation: number; untilMs: number; openForMs: number; failedProbe: FailedProbe }
  | {
      kind: 'half-open'
      generation: number
      nextProbeMs: number
      openForMs: number
      failedProbe: FailedProbe
    }

/** Last failed probe, and the wait of its organization. */
type FailedProbe = { holder: string; forMs: number; untilMs: number } | undefined

export interface BreakerRules {
  failuresInARowToOpen: number
  /** Share of failed calls in a window that opens the breaker too, from `windowCallsMin` calls on. */
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

/** Pass of an admitted call. The caller returns it together with the outcome. */
export interface BreakerPass {
  generation: number
  isProbe: boolean
}

/** `unknown`: the end of the call tells nothing about the upstream, such as a client that left. */
export type BreakerOutcome = 'success' | 'failure' | 'unknown'

export const CLOSED_BREAKER: BreakerState = { kind: 'closed', generation: 0 }

/** Returns the time until a call would be admitted, 0 for now. Changes nothing. */
export function breakerWaitMs(state: BreakerState, input: { holder: string; nowMs: number }): number {
  const { holder, nowMs } = input
  if (state.kind === 'closed') return 0
  if (state.kind === 'half-open') return Math.max(0, state.nextProbeMs - nowMs)
  const { failedProbe, untilMs } = state
  return Math.max(0, (failedProbe?.holder === holder ? failedProbe.untilMs : untilMs) - nowMs)
}

/** Admits a call. Callers have checked that `breakerWaitMs` is 0. */
export function admitCall(state: BreakerState, nowMs: number): { state: BreakerState; pass: BreakerPass } {
  if (state.kind === 'closed') return { state, pass: { generation: state.generation, isProbe: false } }
  const { openForMs, failedProbe } = state
  const generation = state.kind === 'open' ? state.generation + 1 : state.generation
  return {
    state: { kind: 'half-open', generation, nextProbeMs: nowMs + openForMs, openForMs, failedProbe },
    pass: { generation, isProbe: true },
  }
}

export interface BreakerReport {
  pass: BreakerPass
  holder: string
  outcome: BreakerOutcome
  /** Whether a closed breaker must open. */
  isTooMuch: boolean
  nowMs: number
}

export function recordOutcome(state: BreakerState, report: BreakerReport, rules: BreakerRules): BreakerState {
  const { outcome, nowMs } = report
  if (report.pass.generation !== state.generation || state.kind === 'open') return state
  const generation = state.generation + 1
  if (state.kind === 'closed') {
    if (!report.isTooMuch) return state
    const openForMs = rules.openMsMin
    return { kind: 'open', generation, openForMs, untilMs: nowMs + openForMs, failedProbe: undefined }
  }
  if (outcome === 'success') return { kind: 'closed', generation }
  if (outcome === 'failure') return { ...afterFailedProbe(state, report, rules), generation }
  const failedProbe = state.failedProbe && { ...state.failedProbe, untilMs: nowMs }
  return { kind: 'open', generation, openForMs: state.openForMs, untilMs: nowMs, failedProbe }
}

function afterFailedProbe(
  { openForMs: before, failedProbe, generation }: BreakerState & { kind: 'half-open' },
  { holder, nowMs }: BreakerReport,
  { openMsMax }: BreakerRules,
): BreakerState {
  const isOfAnother = failedProbe !== undefined && failedProbe.holder !== holder
  const openForMs = isOfAnother ? Math.min(before * 2, openMsMax) : before
  const ownForMs = isOfAnother ? openForMs : Math.min((failedProbe?.forMs ?? before) * 2, openMsMax)
  return {
    kind: 'open',
    generation,
    openForMs,
    untilMs: nowMs + openForMs,
    failedProbe: { holder, forMs: ownForMs, untilMs: nowMs + ownForMs },
  }
}
