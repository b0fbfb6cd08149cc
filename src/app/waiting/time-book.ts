import type { Clock } from '../../ports/clock.ts'
import type { TimeBook } from '../../ports/time-book.ts'

/** Factor of the booked time at each sample of the lag: half of the time fades in 1.4 s. */
const FADE = 0.975
/** Less booked time is forgotten, which also bounds the number of organizations. */
const FORGOTTEN_MS = 0.1
/** Time that one more request is expected to take. */
const REQUEST_MS = 1
/** A thread is busy when it works for more than this part of its time. */
const BUSY_PART = 0.8

/** Weight of a new sample, whose value is capped: one slow turn has little effect. */
const WEIGHT = 0.5
const SAMPLE_LIMITS_MAX = 1.5

export interface TimeBookOptions {
  clock: Pick<Clock, 'monotonicMs'>
  /** Sum of the times in which the thread waited for events; left out: 0. */
  idleMs?: () => number
  /** Limit of the lag, smoothed over a few samples. */
  lagMsMax?: number
}

export function createTimeBook(input: TimeBookOptions): TimeBook {
  const { clock, idleMs = () => 0, lagMsMax = Number.POSITIVE_INFINITY } = input
  const used = new Map<string, number>()
  let totalMs = 0
  let current = ''
  let sinceMs = 0
  let sample = { atMs: 0, workedMs: 0 }
  let isBusy = false
  let smoothedLagMs = 0

  function add(holder: string, ms: number): void {
    used.set(holder, (used.get(holder) ?? 0) + ms)
    totalMs += ms
  }

  function begin(holder: string): void {
    // Most work follows work for the same organization, and needs no clock.
    if (holder === current && holder !== '') return
    const workedMs = clock.monotonicMs() - idleMs()
    if (current !== '') add(current, workedMs - sinceMs)
    current = holder
    sinceMs = workedMs
  }

  function fade(): void {
    totalMs = 0
    for (const [holder, ms] of used) {
      if (ms < FORGOTTEN_MS) used.delete(holder)
      else {
        used.set(holder, ms * FADE)
        totalMs += ms * FADE
      }
    }
  }

  function usedMs(holder: string): number {
    return used.get(holder) ?? 0
  }

  return {
    begin,
    claim(holder) {
      current = holder
    },
    add,
    usedMs,
    hasOthers: (holder) => used.size > (used.has(holder) ? 1 : 0),
    observeLag(lagMs) {
      begin('')
      fade()
      const atMs = clock.monotonicMs()
      const workedMs = atMs - idleMs()
      isBusy = workedMs - sample.workedMs > (atMs - sample.atMs) * BUSY_PART
      sample = { atMs, workedMs }
      const sampleMs = Math.min(Math.max(0, lagMs), lagMsMax * SAMPLE_LIMITS_MAX)
      smoothedLagMs += (sampleMs - smoothedLagMs) * WEIGHT
    },
    get isLate() {
      return smoothedLagMs > lagMsMax
    },
    isAbove(holder) {
      const holders = used.size + (used.has(holder) ? 0 : 1)
      return (usedMs(holder) + REQUEST_MS) * holders > totalMs
    },
    mustWait: (holder) => isBusy && usedMs(holder) * used.size > totalMs,
  }
}
