import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, TaskStore } from '../../ports/tasks.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type Lease, type LeaseRunner } from '../jobs/lease-runner.ts'
import { type ClaimTasks, claimTasks } from './claim-tasks.ts'
import type { PollTask } from './poll-task.ts'
import { createRescheduleQueue } from './reschedule-queue.ts'

/** Of one organization. For each eight there is one more, which it leaves to the others. */
const SLOTS_EACH = 64
const SLOTS_PER_RESERVE = 8
/** While every slot is busy the next tasks are claimed already: one claim serves many polls and no poll waits for it. */
const CLAIMED_PER_SLOT = 2
/** While tasks wait for a slot, others are looked for this often. */
const LOOK_AGAIN_MS = 1_000
const LEASE_MS = 60_000
/** The longest that a poll may take; with less of the lease left it does not begin. */
const POLL_MS_MAX = 30_000

/** However long a vendor asks for no calls: its tasks end by their deadlines. */
const REST_MS_MAX = 60_000

/** The sweep over the tasks of one vendor. Each vendor has its own, so that one that hangs delays no other's. */
export type Sweep = Pick<LeaseRunner, 'pass' | 'inHand' | 'idle' | 'stop'>

interface PollJob extends Job {
  task: ClaimedTask
  claimedAtMs: number
}

/** A claimed task is polled well within its lease, so that of several sweeps only one asks about it. */
export function sweepTasks({
  provider,
  tasks,
  ping,
  poll,
  pauseMsMax,
  clock,
  pause,
  log,
  slotsEach = SLOTS_EACH,
}: {
  provider: string
  tasks: Pick<TaskStore, 'claimDue' | 'reschedule' | 'setAside' | 'putOffNext' | 'bringForward'>
  /** Rejects while the store is unreachable. */
  ping(): Promise<void>
  poll: PollTask
  /** The longest that a task may wait for its next poll. */
  pauseMsMax: number
  clock: Clock
  pause: Pause
  log: Log
  slotsEach?: number
}): Sweep {
  const claimDue = claimTasks({ provider, tasks, ping, clock, pause, log, leaseMs: LEASE_MS })
  const rescheduled = createRescheduleQueue({ tasks, log })
  const runner = createLeaseRunner<PollJob>({
    prepare: bringForward({
      move: (far) => tasks.bringForward({ ...far, provider }),
      pauseMsMax: Math.max(pauseMsMax, LEASE_MS, REST_MS_MAX),
      ...{ clock, log, provider, operation: 'sweep tasks' },
    }),
    claim,
    run,
    giveBack({ task: { id, fence } }, afterMs) {
      rescheduled.add({ id, fence, nextPollAtMs: clock.nowMs() + afterMs, seenAtMs: null })
    },
    slots: slotsEach + Math.ceil(slotsEach / SLOTS_PER_RESERVE),
    slotsEach,
    claimedPerSlot: CLAIMED_PER_SLOT,
    leaseMs: LEASE_MS,
    runMsMax: POLL_MS_MAX,
    lookAgainMs: LOOK_AGAIN_MS,
    ...{ clock, log, failure: 'task.claim_failed' },
  })

  return {
    ...runner,
    async idle() {
      await runner.idle()
      await rescheduled.idle()
    },
    async stop() {
      await runner.stop()
      await rescheduled.idle()
    },
  }

  async function claim(room: Parameters<ClaimTasks>[0]) {
    const { tasks: found, claimedAtMs, more } = await claimDue(room)
    const jobs = found.map((task) => {
      const { id: key, organizationId } = task
      return { key, organizationId, task, claimedAtMs }
    })
    return { jobs, more }
  }

  async function run({ task, claimedAtMs }: PollJob, lease: Lease): Promise<void> {
    try {
      const next = await poll(task, { claimedAtMs, signal: lease.signal, rest })
      if (next !== undefined && !lease.isOver()) rescheduled.add(next)
    } catch (error) {
      log.warn('task.poll_failed', {
        taskId: task.id,
        provider,
        error,
      })
    }
  }

  /** A vendor that answers "too many" to one task means all of its tasks: more calls would only prolong it. */
  function rest(ms: number): void {
    runner.rest(Math.min(ms, REST_MS_MAX))
  }
}
