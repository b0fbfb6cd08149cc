import type { AbandonedCallback, CallbackStore, DueCallback } from '../../ports/callbacks.ts'
import type { More } from '../../ports/claims.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { bringForward } from '../waiting/bring-forward.ts'
import { InHand } from '../waiting/in-hand.ts'
import type { DeliverCallback } from './deliver-callback.ts'

/** No more than there are connections for them: an attempt that found none would be wasted. */
const PLACES_MAX = 64
/** An organization that has so many under way gets no more for now: its slow receiver holds up nobody else's. */
const SHARE_MAX = 8
/** Longer than an attempt can take; after a crash, the next attempt waits for its end. */
const LEASE_MS = 45_000
/** How long attempts may go on when the process leaves. */
const LEAVING_MS_MAX = 1_000

export interface Courier {
  /** Begins to deliver what is due, as far as there is room. Rejects when the store cannot be asked. */
  pass(): Promise<void>
  /** A callback was just written: no need to wait for the next pass. */
  wake(): void
  /** Resolves when no attempt is under way. */
  settled(): Promise<void>
  /** Nothing begins any more; what is under way gets a moment, then it is cut off and counts as a failed attempt. */
  stop(): Promise<void>
}

/**
 * Every organization gets its share of each claim. What was left out for want of room is asked for again as soon as there
 * is some.
 */
export function createCourier({
  callbacks,
  deliver,
  clock,
  pause,
  log,
  placesMax = PLACES_MAX,
  shareMax = SHARE_MAX,
}: {
  callbacks: Pick<CallbackStore, 'claimDue' | 'bringForward'>
  deliver: DeliverCallback
  clock: Clock
  pause: Pause
  log: Log
  placesMax?: number
  shareMax?: number
}): Courier {
  // A lease is the longest pause of a callback.
  const bringFar = bringForward({
    move: callbacks.bringForward,
    pauseMsMax: LEASE_MS,
    ...{ clock, log, operation: 'send callbacks' },
  })
  const leaving = new AbortController()
  const running = new Set<Promise<void>>()
  const inHand = new InHand(shareMax)
  let after = ''
  let isStopped = false
  let passUnderWay: Promise<void> | undefined
  let isWoken = false
  let wasShortOfRoom = false

  const courier: Courier = {
    pass() {
      passUnderWay ??= claimAll().finally(() => {
        passUnderWay = undefined
        if (isWoken) courier.wake()
      })
      return passUnderWay
    },
    wake() {
      // What was written after the claim under way began would be missed by it.
      isWoken = passUnderWay !== undefined
      if (isWoken || isStopped) return
      courier.pass().catch((error: unknown) => log.warn('callback.claim_failed', { error }))
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async stop() {
      isStopped = true
      await passUnderWay?.catch(() => {})
      await Promise.race([Promise.all(running), pause(LEAVING_MS_MAX)])
      leaving.abort()
      await Promise.all(running)
    },
  }
  return courier

  async function claimAll(): Promise<void> {
    await bringFar()
    let more: More
    do {
      const limit = placesMax - running.size
      wasShortOfRoom = limit === 0 || inHand.hasFullShare()
      if (limit === 0 || isStopped) return
      const nowMs = clock.nowMs()
      const claim = { nowMs, leaseUntilMs: nowMs + LEASE_MS, limit, share: inHand.share(after) }
      const claimed = await callbacks.claimDue(claim)
      more = claimed.more
      after = more ?? ''
      for (const callback of claimed.due) begin(callback)
      for (const callback of claimed.abandoned) tellOfEnd(callback)
      wasShortOfRoom ||= inHand.hasFullShare()
    } while (more !== undefined)
  }

  function tellOfEnd({ taskId, organizationId }: AbandonedCallback): void {
    log.warn('callback.given_up', { taskId, organizationId, reason: 'unknown' })
  }

  function begin(callback: DueCallback): void {
    const { organizationId } = callback
    inHand.enter(organizationId)
    const delivering = run(callback).then(() => {
      running.delete(delivering)
      inHand.leave(organizationId)
      if (wasShortOfRoom) courier.wake()
    })
    running.add(delivering)
  }

  async function run(callback: DueCallback): Promise<void> {
    try {
      const delayMs = await deliver(callback, leaving.signal)
      if (delayMs !== undefined) void pause(delayMs).then(() => courier.wake())
    } catch (error) {
      const { taskId, organizationId } = callback
      log.warn('callback.attempt_failed', {
        taskId,
        organizationId,
        error,
      })
    }
  }
}
