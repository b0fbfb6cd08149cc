import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, TaskStore } from '../../ports/tasks.ts'
import { giveBackTasks } from './give-back-tasks.ts'
import type { PollTask } from './poll-task.ts'

const PLACES_MAX = 64
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
 * While every place is busy, the next tasks are claimed already: one claim serves many polls and nobody waits for it.
 * Whatever is claimed is polled well within its lease, so that of several sweeps only one asks about a task.
 */
export function sweepTasks({
  provider,
  tasks,
  poll,
  clock,
  log,
  placesMax = PLACES_MAX,
}: {
  provider: string
  tasks: Pick<TaskStore, 'claimDue' | 'reschedule'>
  poll: PollTask
  clock: Clock
  log: Log
  placesMax?: number
}): Sweep {
  const leaving = new AbortController()
  const back = giveBackTasks({ tasks, log })
  const waiting: Claim[] = []
  const running = new Set<Promise<void>>()
  let onRoom = () => {}
  /** On the monotonic clock. */
  let restsUntilMs = Number.NEGATIVE_INFINITY

  return {
    async pass() {
      let limit: number
      let claimed: ClaimedTask[]
      do {
        await room()
        if (leaving.signal.aborted || restLeftMs() > 0) return
        limit = 2 * placesMax - running.size - waiting.length
        const nowMs = clock.nowMs()
        const claim = { claimedAtMs: nowMs, startBeforeMs: clock.monotonicMs() + LEASE_MS - POLL_MS_MAX }
        claimed = await tasks.claimDue({ provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit })
        for (const task of claimed) waiting.push({ ...claim, task })
        fillPlaces()
      } while (claimed.length === limit)
    },
    underWay: () => running.size + waiting.length,
    async settled() {
      while (running.size > 0) await Promise.all(running)
      await back.settled()
    },
    async stop() {
      leaving.abort()
      onRoom()
      for (const claim of waiting.splice(0)) giveBack(claim)
      await Promise.all(running)
      await back.settled()
    },
  }

  /** Resolves as soon as no claimed task waits for a place. */
  function room(): Promise<void> {
    if (waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      onRoom = resolve
    })
  }

  /** One task that hears "too many" speaks for all of its vendor: asking on would only prolong it. */
  function rest(ms: number): void {
    restsUntilMs = Math.max(restsUntilMs, clock.monotonicMs() + Math.min(ms, REST_MS_MAX))
    for (const claim of waiting.splice(0)) giveBack(claim)
    onRoom()
  }

  function restLeftMs(): number {
    return Math.max(0, restsUntilMs - clock.monotonicMs())
  }

  function fillPlaces(): void {
    while (running.size < placesMax) {
      const next = waiting.shift()
      if (next === undefined) break
      if (clock.monotonicMs() > next.startBeforeMs) continue
      const polling = run(next).then(() => {
        running.delete(polling)
        fillPlaces()
      })
      running.add(polling)
    }
    if (waiting.length === 0) onRoom()
  }

  async function run({ task, claimedAtMs }: Claim): Promise<void> {
    // A claim that came back while the process was leaving, or when the vendor had just asked for a rest.
    if (leaving.signal.aborted || restLeftMs() > 0) return giveBack({ task })
    try {
      const next = await poll(task, { claimedAtMs, signal: leaving.signal, rest })
      if (next !== undefined) back.add(next)
    } catch (error) {
      log.warn('a poll could not be finished; the task is due again when its lease has lapsed', {
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
