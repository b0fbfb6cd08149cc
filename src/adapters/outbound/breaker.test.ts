import { describe, expect, it } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import {
  admitCall,
  type BreakerOutcome,
  type BreakerPass,
  type BreakerState,
  breakerWaitMs,
  CLOSED_BREAKER,
  DEFAULT_BREAKER_RULES as RULES,
  recordOutcome,
} from './breaker.ts'
import { FailureTally } from './failure-tally.ts'

describe('the breaker', () => {
  it('opens at the fifth failure in a row and not before', () => {
    const run = startRun()
    run.calls('failure', 4)
    expect(run.state.kind).toBe('closed')
    run.calls('failure', 1)
    expect(run.state.kind).toBe('open')
  })

  it('starts counting again after a success', () => {
    const run = startRun()
    for (let round = 0; round < 4; round += 1) {
      run.calls('failure', 4)
      run.calls('success', 10)
    }
    expect(run.state.kind).toBe('closed')
  })

  it('opens when half of a window failed, though never five in a row', () => {
    const run = startRun()
    for (let call = 0; call < 19; call += 1) run.calls(call % 2 === 0 ? 'failure' : 'success', 1)
    expect(run.state.kind).toBe('closed')
    run.calls('failure', 1)
    expect(run.state.kind).toBe('open')
  })

  it('forgets a window that is over', () => {
    const run = startRun()
    for (let call = 0; call < 19; call += 1) run.calls(call % 2 === 0 ? 'failure' : 'success', 1)
    run.nowMs += RULES.windowMs
    run.calls('failure', 1)
    expect(run.state.kind).toBe('closed')
  })

  it('refuses for 5 s, then allows one probe, and another one if the first takes too long', () => {
    const run = startRun()
    run.calls('failure', 5)
    expect(run.waitMs()).toBe(5_000)
    run.nowMs += 4_999
    expect(run.waitMs()).toBe(1)
    run.nowMs += 1
    expect(run.waitMs()).toBe(0)
    const probe = run.admit()
    expect(probe.isProbe).toBe(true)
    expect(run.state.kind).toBe('half-open')
    expect(run.waitMs()).toBe(5_000)
    run.nowMs += 5_000
    const second = run.admit()
    run.tell(second, 'success')
    expect(run.state.kind).toBe('closed')
    run.tell(probe, 'failure')
    expect(run.state.kind).toBe('closed')
  })

  it('closes when the probe succeeds, and begins at 5 s the next time', () => {
    const run = startRun()
    run.calls('failure', 5)
    run.nowMs += 5_000
    run.calls('failure', 1)
    run.nowMs += 10_000
    run.calls('success', 1)
    expect(run.state.kind).toBe('closed')
    run.calls('failure', 5)
    expect(run.waitMs()).toBe(5_000)
  })

  it('stays open twice as long after every failed probe, up to 60 s', () => {
    const run = startRun()
    run.calls('failure', 5)
    const waits = [run.waitMs()]
    for (let probe = 0; probe < 5; probe += 1) {
      run.nowMs += run.waitMs()
      run.calls('failure', 1)
      waits.push(run.waitMs())
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  })

  it('lets the next call probe when the outcome of a probe is unknown', () => {
    const run = startRun()
    run.calls('failure', 5)
    run.nowMs += 5_000
    run.calls('unknown', 1)
    expect(run.state.kind).toBe('open')
    expect(run.waitMs()).toBe(0)
    expect(run.admit().isProbe).toBe(true)
  })

  it('ignores outcomes of calls from before its last change', () => {
    const run = startRun()
    const late = run.admit()
    run.calls('failure', 5)
    run.tell(late, 'success')
    expect(run.state.kind).toBe('open')
    run.nowMs += 5_000
    const probe = run.admit()
    run.tell(late, 'failure')
    expect(run.state.kind).toBe('half-open')
    run.tell(probe, 'success')
    for (let call = 0; call < 9; call += 1) run.tell(late, 'failure')
    expect(run.state.kind).toBe('closed')
  })

  it('failures of only one organization do not open a breaker for several', () => {
    const run = startRun({ isForSeveral: true })
    for (let round = 0; round < 10; round += 1) {
      run.calls('failure', 50, 'org_a')
      run.calls('failure', 1, 'org_b')
      run.calls('success', 3, 'org_b')
    }
    expect(run.state.kind).toBe('closed')
  })

  it('two failures of other organizations are enough, in a row or by their share of a window', () => {
    const inARow = startRun({ isForSeveral: true })
    inARow.calls('failure', 9, 'org_a')
    inARow.calls('failure', 1, 'org_b')
    expect(inARow.state.kind).toBe('closed')
    inARow.calls('failure', 1, 'org_c')
    expect(inARow.state.kind).toBe('open')

    const byShare = startRun({ isForSeveral: true })
    for (let round = 0; round < 7; round += 1) {
      byShare.calls('failure', 1, 'org_a')
      byShare.calls('success', 1, 'org_b')
      byShare.calls('failure', 1, 'org_b')
    }
    expect(byShare.state.kind).toBe('open')
  })

  it('a probe that one organization makes fail does not prolong the wait of others', () => {
    const run = startRun({ isForSeveral: true })
    run.calls('failure', 4, 'org_a')
    run.calls('failure', 2, 'org_b')
    for (const ownWaitMs of [10_000, 20_000, 40_000]) {
      run.nowMs += run.waitMs('org_a')
      run.calls('failure', 1, 'org_a')
      expect(run.waitMs('org_a')).toBe(ownWaitMs)
      expect(run.waitMs('org_b')).toBe(5_000)
    }
    run.nowMs += 5_000
    run.calls('failure', 1, 'org_b')
    expect([run.waitMs('org_a'), run.waitMs('org_b'), run.waitMs('org_c')]).toEqual([10_000, 10_000, 10_000])
  })

  it('always has a running probe while half-open, never waits beyond its limit, and always closes again', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('call' as const) }),
      fc.record({
        kind: fc.constant('report' as const),
        which: fc.nat(20),
        outcome: fc.constantFrom<BreakerOutcome>('success', 'failure', 'failure', 'unknown'),
      }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(70_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const run = startRun()
        const out: BreakerPass[] = []
        for (const taken of steps) {
          if (taken.kind === 'wait') run.nowMs += taken.ms
          if (taken.kind === 'call' && run.waitMs() === 0) out.push(run.admit())
          if (taken.kind === 'report' && out.length > 0) {
            const [pass] = out.splice(taken.which % out.length, 1)
            if (pass !== undefined) run.tell(pass, taken.outcome)
          }
          const probes = out.filter(
            ({ isProbe, generation }) => isProbe && generation === run.state.generation,
          )
          expect(probes.length > 0).toBe(run.state.kind === 'half-open')
          expect(run.waitMs()).toBeLessThanOrEqual(RULES.openMsMax)
        }
        for (const pass of out) run.tell(pass, 'unknown')
        run.nowMs += RULES.openMsMax
        run.calls('success', 1)
        expect(run.state.kind).toBe('closed')
      }),
      runs(500),
    )
  })
})

/** A breaker with a clock that the test sets. */
function startRun({ isForSeveral = false } = {}) {
  const state: BreakerState = CLOSED_BREAKER
  const tally = new FailureTally(RULES, { isForSeveral })
  return {
    nowMs: 1_000,
    state,
    waitMs(holder = 'org_a'): number {
      return breakerWaitMs(this.state, { holder, nowMs: this.nowMs })
    },
    admit(holder?: string): BreakerPass {
      expect(this.waitMs(holder)).toBe(0)
      const { state, pass } = admitCall(this.state, this.nowMs)
      this.state = state
      return pass
    },
    tell(pass: BreakerPass, outcome: BreakerOutcome, holder = 'org_a'): void {
      const { nowMs } = this
      const counts = this.state.kind === 'closed' && pass.generation === this.state.generation
      if (counts && outcome === 'success') tally.succeeded(holder, nowMs)
      const isTooMuch = counts && outcome === 'failure' && tally.failed(holder, nowMs)
      this.state = recordOutcome(this.state, { pass, holder, outcome, isTooMuch, nowMs }, RULES)
      if (this.state.kind === 'closed' && !counts) tally.reset()
    },
    calls(outcome: BreakerOutcome, count: number, holder?: string): void {
      for (let call = 0; call < count; call += 1) this.tell(this.admit(holder), outcome, holder)
    },
  }
}
