import type { LogEvent } from '../../ports/log-events.ts'
import type { ClaimShare, More } from '../../ports/tasks.ts'
import type { Runtime } from '../runtime.ts'
import { withDeadline } from './deadline.ts'
import { type Job, JobSlots } from './job-slots.ts'

/** Time in which a claimed row belongs to this process. */
export interface JobLease {
  /** Aborted when the lease is over, or when the process stops. The job then ends as soon as it can. */
  signal: AbortSignal
  /** True from the end of the lease on, even before its signal was aborted. Another replica may then have the row. */
  isOver(): boolean
}

export interface LeaseRunner {
  /** Claims due rows, as far as there is room. Rejects when the store is unreachable. */
  pass(): Promise<void>
  /** Called when a row became due, so that it does not wait for the next pass. */
  wake(): void
  /** Claims nothing for `ms` and returns waiting rows to the store. */
  rest(ms: number): void
  inHand(): number
  idle(): Promise<void>
  /** Begins no further job and returns waiting rows. Resolves when the store has them and no job runs. */
  stop(): Promise<void>
}

export interface LeaseRunnerOptions<J extends Job> extends Pick<Runtime, 'clock' | 'log'> {
  prepare(): Promise<void>
  claim(room: { limit: number; share: ClaimShare }): Promise<{ jobs: readonly J[]; more: More }>
  /** Never rejects. */
  run(job: J, lease: JobLease): Promise<void>
  /** Makes the row due again after `afterMs`, for any replica. Never rejects. */
  giveBack(job: J, afterMs: number): Promise<void> | void
  /** Maximum running jobs: `slots` of all organizations together, `slotsEach` of one. */
  slots: number
  slotsEach: number
  /** Claims this many times the slots: with 2, the next jobs already wait while every slot is busy. */
  claimedPerSlot?: number
  /** Interval of passes for other organizations' rows while one organization has its full share. Left out: none. */
  lookAgainMs?: number
  leaseMs: number
  /** A job does not begin with less than this time of its lease left. */
  runMsMax?: number
  /** Time that running jobs get at a stop before their signals are aborted. */
  graceMs?: number
  failure: LogEvent
}

/**
 * Claims due rows for as long as their lease lasts, and runs them, a bounded number at a time:
 *
 *         claim            a slot is free           ends
 *   due ---------> waiting ---------------> running -----> done
 *    ^                |                        |
 *    |  stop or rest  |                        | the lease is over: its signal is aborted,
 *    +----------------+                        | its result counts no more
 *    |  given back    |                        v
 *    |                +--------------------> lapsed
 *    |   too little of the lease is left       |
 *    +-----------------------------------------+
 *       by itself: nothing is written
 *
 * A replica that cannot reach the store for longer than its lease gives up its rows, so only the replica that claims a row
 * next works on it. The length of a lease is counted from before its claim is sent.
 */
export function createLeaseRunner<J extends Job>(options: LeaseRunnerOptions<J>): LeaseRunner {
  const { prepare, claim, run, giveBack, slots, slotsEach, leaseMs, clock, log, failure } = options
  const { claimedPerSlot = 1, lookAgainMs, runMsMax = 0, graceMs = 0 } = options
  const jobs = new JobSlots<Leased<J>>({ slots, slotsEach, run: runOne, onEnd })
  const returning = new Set<Promise<void>>()
  let passing: Promise<void> | undefined
  let isWoken = false
  /** Whether the last claim left rows behind for lack of free slots. A slot that becomes free then starts another pass. */
  let isShort = false
  let isStopped = false
  let after = ''
  /** Time on the monotonic clock. */
  let restsUntilMs = Number.NEGATIVE_INFINITY
  let lookAgain: NodeJS.Timeout | undefined
  let leaseWatch: NodeJS.Timeout | undefined

  const runner: LeaseRunner = {
    pass() {
      passing ??= claimAll().finally(() => {
        passing = undefined
        if (isWoken) runner.wake()
      })
      return passing
    },
    wake() {
      // The running claim would miss a row that became due after the claim began.
      isWoken = passing !== undefined
      if (isWoken || isStopped) return
      runner.pass().catch((error: unknown) => log.warn(failure, { error }))
    },
    rest(ms) {
      restsUntilMs = Math.max(restsUntilMs, clock.monotonicMs() + ms)
      giveBackWaiting()
    },
    inHand: () => jobs.inHand,
    idle,
    async stop() {
      isStopped = true
      clearTimeout(lookAgain)
      giveBackWaiting()
      if (graceMs > 0) await withDeadline(idle(), { ms: graceMs })
      for (const { ending } of jobs.running()) ending.abort()
      await idle()
      clearTimeout(leaseWatch)
    },
  }
  return runner

  async function claimAll(): Promise<void> {
    clearTimeout(lookAgain)
    if (isStopped) return
    await prepare()
    let more: More
    do {
      endLapsed()
      const limit = claimedPerSlot * slots - jobs.inHand
      isShort = limit <= 0 || hasFullShare()
      if (limit <= 0 || isStopped || restLeftMs() > 0) break
      const endMs = clock.monotonicMs() + leaseMs
      const share = { perOrganizationMax: claimedPerSlot * slotsEach, inHand: jobs.countInHand(), after }
      const claimed = await claim({ limit, share })
      more = claimed.more
      after = more ?? ''
      for (const job of claimed.jobs) take(job, endMs)
      jobs.fill()
      isShort ||= hasFullShare() || (more !== undefined && jobs.waiting > 0)
      // If jobs wait, the next claim comes when the last of them has begun, so one claim serves many jobs.
    } while (more !== undefined && jobs.waiting === 0)
    if (isShort && !isStopped && lookAgainMs !== undefined)
      lookAgain = setTimeout(runner.wake, lookAgainMs).unref()
  }

  function hasFullShare(): boolean {
    return jobs.hasShareOf(claimedPerSlot * slotsEach)
  }

  /** A claim may answer after the runner stopped, or while it rests. */
  function take(job: J, endMs: number): void {
    const { key, organizationId } = job
    if (isStopped || restLeftMs() > 0) sendBack(job)
    else jobs.add({ key, organizationId, job, endMs, ending: new AbortController() })
  }

  async function runOne({ job, endMs, ending: { signal } }: Leased<J>): Promise<void> {
    const nowMs = clock.monotonicMs()
    if (isTooLate(endMs, nowMs)) return
    watchLeases(endMs - nowMs)
    await run(job, { signal, isOver: () => clock.monotonicMs() >= endMs })
  }

  function onEnd(): void {
    if (isShort && jobs.waiting === 0) runner.wake()
  }

  /** Uses one timer for all leases, which end in the order of their claims. */
  function watchLeases(afterMs: number): void {
    leaseWatch ??= setTimeout(() => {
      leaseWatch = undefined
      endLapsed()
      const nowMs = clock.monotonicMs()
      const ends = jobs.running().flatMap(({ endMs }) => (endMs > nowMs ? [endMs] : []))
      if (ends.length > 0) watchLeases(Math.min(...ends) - nowMs)
    }, afterMs).unref()
  }

  function endLapsed(): void {
    const nowMs = clock.monotonicMs()
    jobs.takeWaiting(({ endMs }) => isTooLate(endMs, nowMs))
    for (const { endMs, ending } of jobs.running()) if (nowMs >= endMs) ending.abort()
  }

  function isTooLate(endMs: number, nowMs: number): boolean {
    return nowMs >= endMs || nowMs > endMs - runMsMax
  }

  function restLeftMs(): number {
    return Math.max(0, restsUntilMs - clock.monotonicMs())
  }

  function giveBackWaiting(): void {
    for (const { job } of jobs.takeWaiting()) sendBack(job)
  }

  function sendBack(job: J): void {
    const sent = Promise.resolve(giveBack(job, restLeftMs())).then(() => {
      returning.delete(sent)
    })
    returning.add(sent)
  }

  async function idle(): Promise<void> {
    while (passing !== undefined || jobs.inHand > 0 || returning.size > 0) {
      await passing?.catch(() => {})
      await jobs.idle()
      await Promise.all(returning)
    }
  }
}

interface Leased<J extends Job> extends Job {
  job: J
  /** End on the monotonic clock. */
  endMs: number
  ending: AbortController
}
