import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import type { Sent } from './receiver.ts'

/** A paused response is stalled when its pauses last `STALLED_MS` in sum, and this share of the time since the first. */
const STALLED_MS = 2_000
const STALLED_SHARE = 0.5
const LOOK_EVERY_MS = 250
/** Time after a cut in which the organization opens no calls beyond its share. */
const PAUSE_MS = 10_000

/** Records responses that wait for their readers. */
export interface StalledReaders {
  paused(call: Sent, holder: string): void
  resumed(call: Sent): void
  ended(call: Sent): void
  /** Called when a call begins to wait for a slot. Stalled readers are searched while calls wait. */
  look(): void
  /** Tells whether an organization whose response was cut has to wait before it opens another call. */
  mustPause(holder: string): boolean
}

interface ReaderPause {
  call: Sent
  holder: string
  firstMs: number
  /** undefined while the reader reads. */
  sinceMs: number | undefined
  /** Sum of earlier pauses. */
  pastMs: number
}

/**
 * Cuts stalled responses, which would hold slots for minutes. While other organizations wait for a slot, one stalled
 * response per waiting call is cut: the longest pause first, and only of organizations above their share.
 */
export function stalledReaders(tools: {
  name: string
  slots: Pick<FairSemaphore, 'waiting' | 'waitingBeside' | 'isAboveShare' | 'isAtShare'>
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
}): StalledReaders {
  const { name, slots, clock, log } = tools
  const pauses = new Map<Sent, ReaderPause>()
  const lastCutMs = new Map<string, number>()
  let isLooking = false

  function look(): void {
    if (isLooking) return
    isLooking = true
    setTimeout(() => {
      isLooking = false
      if (slots.waiting === 0) return
      cutStalled()
      look()
    }, LOOK_EVERY_MS).unref()
  }

  function cutStalled(): void {
    const nowMs = clock.monotonicMs()
    const stalled = [...pauses.values()].filter((pause) => isStalled(pause, nowMs))
    const longestFirst = stalled.toSorted((a, b) => pausedMs(b, nowMs) - pausedMs(a, nowMs))
    let cuts = 0
    for (const { call, holder } of longestFirst) {
      if (cuts >= slots.waitingBeside(holder) || !slots.isAboveShare(holder)) continue
      cuts += 1
      lastCutMs.set(holder, nowMs)
      log.warn('stream.stalled_reader_cut', { provider: name, organizationId: holder })
      call.stop('stalled')
    }
  }

  return {
    paused(call, holder) {
      const sinceMs = clock.monotonicMs()
      const pause = pauses.get(call)
      if (pause === undefined) pauses.set(call, { call, holder, firstMs: sinceMs, sinceMs, pastMs: 0 })
      else pause.sinceMs ??= sinceMs
    },
    resumed(call) {
      const pause = pauses.get(call)
      if (pause === undefined) return
      pause.pastMs = pausedMs(pause, clock.monotonicMs())
      pause.sinceMs = undefined
    },
    ended: (call) => void pauses.delete(call),
    look,
    mustPause(holder) {
      const cutMs = lastCutMs.get(holder)
      if (cutMs === undefined) return false
      if (clock.monotonicMs() - cutMs < PAUSE_MS) return slots.isAtShare(holder)
      lastCutMs.delete(holder)
      return false
    },
  }
}

function pausedMs({ pastMs, sinceMs }: ReaderPause, nowMs: number): number {
  return pastMs + (sinceMs === undefined ? 0 : nowMs - sinceMs)
}

function isStalled(pause: ReaderPause, nowMs: number): boolean {
  const waitedMs = pausedMs(pause, nowMs)
  const isMostly = waitedMs >= (nowMs - pause.firstMs) * STALLED_SHARE
  return pause.sinceMs !== undefined && waitedMs >= STALLED_MS && isMostly
}
