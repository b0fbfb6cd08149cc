import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, TaskStore } from '../../ports/tasks.ts'
import { bringForward } from '../waiting/bring-forward.ts'
import { InHand } from '../waiting/in-hand.ts'
import { claimTasks } from './claim-tasks.ts'
import type { PollTask } from './poll-task.ts'
import { createRescheduleQueue } from './reschedule-queue.ts'

/** Of one organization. For each eight there is one more, which it leaves to the others. */
const PLACES_MAX = 64
const PLACES_PER_RESERVE = 8
/** While tasks wait for a place, others are looked for this often. */
const LOOK_AGAIN_MS = 1_000
const LEASE_MS = 60_000
/** The longest that a poll may take; with less of the lease left it does not begin. */
const POLL_MS_MAX = 30_000

/** However long a vendor asks to be left alone: its tasks end by their deadlines. */
const REST_MS_MAX = 60_000

/** The sweep over the tasks of one vendor. Each vendor has its own, so that one that hangs delays nobody else's. */
export interface Sweep {
  /** Claims and polls until nothing more is due. The last polls may still be under way when it resolves. */
  pass(): Promise<void>
  /** Tasks that it has claimed and not given back yet. */
  underWay(): number
  /** Resolves when no poll is under way or waiting for a place. */
  settled(): Promise<void>
  /** Nothing begins any more, and what has not been answered yet is given back. Resolves when the store has heard of all. */
  stop(): Promise<void>
}

/**
 * While every place is busy, the next tasks are claimed already: one claim serves many polls and no poll waits for it.
 * Places and claims are shared between organizations: a free place goes to the organization with the fewest polls.
 * Whatever is claimed is polled well within its lease, so that of several sweeps only one asks about a task.
 */
export function sweepTasks({
  provider,
  tasks,
  ping,
  poll,
  pauseMsMax,
  clock,
  pause,
  log,
  placesMax = PLACES_MAX,
}: {
  provider: string
  tasks: Pick<TaskStore, 'claimDue' | 'reschedule' | 'setAside' | 'setAsideNext' | 'bringForward'>
  /** Rejects while the store is unreachable. */
  ping(): Promise<void>
  poll: PollTask
  /** The longest that a task may wait for its next poll. */
  pauseMsMax: number
  clock: Clock
  pause: Pause
  log: Log
  placesMax?: number
}): Sweep {
  const placesOfAll = placesMax + Math.ceil(placesMax / PLACES_PER_RESERVE)
  const claim = claimTasks({ provider, tasks, ping, clock, pause, log, leaseMs: LEASE_MS })
  const bringFar = bringForward({
    move: (far) => tasks.bringForward({ ...far, provider }),
    pauseMsMax: Math.max(pauseMsMax, LEASE_MS, REST_MS_MAX),
    ...{ clock, log, provider, operation: 'sweep tasks' },
  })
  const leaving = new AbortController()
  const back = createRescheduleQueue({ tasks, log })
  const waiting = new Map<string, Claim[]>()
  let waitingCount = 0
  const running = new Set<Promise<void>>()
  const polling = new InHand(placesMax)
  const claimed = new InHand(2 * placesMax)
  let onRoom = () => {}
  let after = ''
  /** On the monotonic clock. */
  let restsUntilMs = Number.NEGATIVE_INFINITY

  return {
    async pass() {
      await bringFar()
      let hasMore: boolean
      do {
        await room()
        if (leaving.signal.aborted || restLeftMs() > 0) return
        const limit = 2 * placesOfAll - running.size - waitingCount
        hasMore = limit > 0 ? await claimUpTo(limit) : true
      } while (hasMore)
    },
    underWay: () => running.size + waitingCount,
    async settled() {
      while (running.size > 0) await Promise.all(running)
      await back.settled()
    },
    async stop() {
      leaving.abort()
      onRoom()
      giveBackWaiting()
      await Promise.all(running)
      await back.settled()
    },
  }

  /** Whether more may be due. */
  async function claimUpTo(limit: number): Promise<boolean> {
    // While the claim runs polls may end, and make room that this claim did not know of.
    const isShort = claimed.hasFullShare()
    const startBeforeMs = clock.monotonicMs() + LEASE_MS - POLL_MS_MAX
    const { tasks: found, claimedAtMs, more } = await claim({ limit, share: claimed.share(after) })
    after = more ?? ''
    for (const task of found) {
      claimed.enter(task.organizationId)
      const own = waiting.get(task.organizationId) ?? []
      own.push({ task, claimedAtMs, startBeforeMs })
      waiting.set(task.organizationId, own)
    }
    waitingCount += found.length
    fillPlaces()
    return more !== undefined || isShort
  }

  /** Resolves as soon as no claimed task waits for a place; or soon, because other organizations may have room. */
  function room(): Promise<void> {
    if (waitingCount === 0 && !claimed.hasFullShare()) return Promise.resolve()
    return new Promise((resolve) => {
      onRoom = resolve
      void pause(LOOK_AGAIN_MS).then(resolve)
    })
  }

  /** One task that hears "too many" speaks for all of its vendor: asking on would only prolong it. */
  function rest(ms: number): void {
    restsUntilMs = Math.max(restsUntilMs, clock.monotonicMs() + Math.min(ms, REST_MS_MAX))
    giveBackWaiting()
    onRoom()
  }

  function restLeftMs(): number {
    return Math.max(0, restsUntilMs - clock.monotonicMs())
  }

  function fillPlaces(): void {
    while (running.size < placesOfAll) {
      const next = takeNext()
      if (next === undefined) break
      const { organizationId } = next.task
      if (clock.monotonicMs() > next.startBeforeMs) {
        claimed.leave(organizationId)
        continue
      }
      polling.enter(organizationId)
      const poll = run(next).then(() => {
        running.delete(poll)
        polling.leave(organizationId)
        claimed.leave(organizationId)
        fillPlaces()
      })
      running.add(poll)
    }
    if (waitingCount === 0) onRoom()
  }

  /** Of the organization that has the fewest polls; undefined when those that wait have their share. */
  function takeNext(): Claim | undefined {
    let chosen: string | undefined
    let fewest = placesMax
    for (const id of waiting.keys()) {
      if (polling.count(id) >= fewest) continue
      chosen = id
      fewest = polling.count(id)
    }
    if (chosen === undefined) return undefined
    const own = waiting.get(chosen) ?? []
    const next = own.shift()
    if (own.length === 0) waiting.delete(chosen)
    waitingCount -= 1
    return next
  }

  function giveBackWaiting(): void {
    for (const claim of [...waiting.values()].flat()) {
      claimed.leave(claim.task.organizationId)
      giveBack(claim)
    }
    waiting.clear()
    waitingCount = 0
  }

  async function run({ task, claimedAtMs }: Claim): Promise<void> {
    // A claim that came back while the process was leaving, or when the vendor had just asked for a rest.
    if (leaving.signal.aborted || restLeftMs() > 0) return giveBack({ task })
    try {
      const next = await poll(task, { claimedAtMs, signal: leaving.signal, rest })
      if (next !== undefined) back.add(next)
    } catch (error) {
      log.warn('task.poll_failed', {
        taskId: task.id,
        provider,
        error,
      })
    }
  }

  function giveBack({ task: { id, fence } }: Pick<Claim, 'task'>): void {
    back.add({ id, fence, nextPollAtMs: clock.nowMs() + restLeftMs(), seenAtMs: null })
  }
}

interface Claim {
  task: ClaimedTask
  claimedAtMs: number
  /** On the monotonic clock. */
  startBeforeMs: number
}
