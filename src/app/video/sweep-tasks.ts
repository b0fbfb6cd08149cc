import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, NextPoll, TaskStore } from '../../ports/tasks.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type JobLease, type LeaseRunner } from '../jobs/lease-runner.ts'
import type { Runtime } from '../runtime.ts'
import { type ClaimTasks, claimTasks } from './claim-tasks.ts'
import type { PollTask } from './poll-task.ts'

/** Slots per organization; one extra slot per eight is reserved for other organizations. */
const SLOTS_EACH = 64
const SLOTS_PER_RESERVE = 8
/** Tasks are claimed ahead while every slot is busy, so one claim serves many polls and no poll waits for it. */
const CLAIMED_PER_SLOT = 2
/** Interval of claims while tasks wait for a slot. */
const LOOK_AGAIN_MS = 1_000
const LEASE_MS = 60_000
/** A poll does not begin with less than this of its lease left. Reading a task takes no longer. */
const POLL_MS_MAX = 30_000

/** Maximum pause that a vendor can ask for, because its tasks have deadlines. */
const REST_MS_MAX = 60_000

/** The sweep over the tasks of one provider. Each provider has its own, so a slow one does not delay the others. */
export type Sweep = Pick<LeaseRunner, 'pass' | 'inHand' | 'idle' | 'stop'>

interface PollJob extends Job {
  task: ClaimedTask
  claimedAtMs: number
}

/** Polls a claimed task well within its lease, so that only one of several sweeps polls it. */
export function sweepTasks(
  tools: Pick<Runtime, 'clock' | 'log' | 'pause'> & {
    provider: string
    tasks: Pick<TaskStore, 'claimDue' | 'reschedule' | 'setAside' | 'putOffNext' | 'bringForward'>
    /** Rejects while the store is unreachable. */
    ping(): Promise<void>
    poll: PollTask
    /** Maximum time between two polls of a task. */
    pauseMsMax: number
    slotsEach?: number
  },
): Sweep {
  const { provider, tasks, ping, poll, pauseMsMax, clock, pause, log, slotsEach = SLOTS_EACH } = tools
  const claimDue = claimTasks({ provider, tasks, ping, clock, pause, log, leaseMs: LEASE_MS })
  const rescheduled = createRescheduleQueue({ tasks, log })
  const runner = createLeaseRunner<PollJob>({
    prepare: bringForward({
      move: (far) => tasks.bringForward({ ...far, provider }),
      pauseMsMax: Math.max(pauseMsMax, LEASE_MS, REST_MS_MAX),
      clock,
      log,
      provider,
      operation: 'sweep tasks',
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
    clock,
    log,
    failure: 'task.claim_failed',
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

  async function run({ task, claimedAtMs }: PollJob, lease: JobLease): Promise<void> {
    try {
      const next = await poll(task, { claimedAtMs, signal: lease.signal, rest })
      if (next !== undefined && !lease.isOver()) rescheduled.add(next)
    } catch (error) {
      log.warn('task.poll_failed', { taskId: task.id, provider, error })
    }
  }

  /** A vendor that answers "too many requests" means all tasks of the provider. More calls would prolong the limit. */
  function rest(ms: number): void {
    runner.rest(Math.min(ms, REST_MS_MAX))
  }
}

/** The next group is collected during a write, so under load one write serves many polls. */
function createRescheduleQueue(tools: { tasks: Pick<TaskStore, 'reschedule'>; log: Log }) {
  const { tasks, log } = tools
  let gathered: NextPoll[] = []
  let writing: Promise<void> | undefined

  return {
    add(next: NextPoll) {
      gathered.push(next)
      writing ??= writeAll()
    },
    async idle() {
      await writing
    },
  }

  async function writeAll(): Promise<void> {
    // Polls that end in the same turn of the event loop are written together.
    await Promise.resolve()
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      try {
        await tasks.reschedule(group)
      } catch (error) {
        log.warn('task.return_failed', { count: group.length, error })
      }
    }
    writing = undefined
  }
}
