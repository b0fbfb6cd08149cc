import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { applySnapshot } from '../../../src/app/video/apply-snapshot.ts'
import { type DeleteTask, deleteTask } from '../../../src/app/video/delete-task.ts'
import { type GetTask, getTask } from '../../../src/app/video/get-task.ts'
import { createNoticeQueue, type NoticeQueue } from '../../../src/app/video/notice-queue.ts'
import { pollTask } from '../../../src/app/video/poll-task.ts'
import { processNotice } from '../../../src/app/video/process-notice.ts'
import { type Sweep, sweepTasks } from '../../../src/app/video/sweep-tasks.ts'
import { syncTask } from '../../../src/app/video/sync-task.ts'
import { videoModelOf } from '../../../src/domain/video/families/families.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { VideoDriver } from '../../../src/ports/video-driver.ts'
import type { TaskTools } from '../../engines/video-work/make-task.ts'
import { recordingLog, type ToldLog } from '../../engines/video-work/recording-log.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'

export const PROVIDER = 'vendorA'
export const SECRETS = createSecrets('a secret of more than thirty-two characters')
const SWEEP_INTERVAL_MS = 5_000
const SUBMITTING_RESOLVE_MS = 600_000

/** Everything that asks about tasks in one process, on a store of its own. */
export interface Replica {
  tools: TaskTools
  get: GetTask
  delete: DeleteTask
  notices: NoticeQueue
  sweep: Sweep
  log: ToldLog
  /** Number of ended tasks that owe a callback. */
  ended: { count: number }
}

export function openReplica({
  store,
  driver,
  clock,
}: {
  store: Store
  driver: VideoDriver
  clock: Clock
}): Replica {
  const log = recordingLog()
  const ended = { count: 0 }
  const tools = {
    store,
    tasks: store.tasks,
    secrets: SECRETS,
    // Ids of several replicas must differ, whatever the scenario's clock says.
    newId: createIds({ nowMs: () => Date.now(), monotonicMs: () => performance.now() }),
    clock,
    deadlineClock: clock,
    log,
    metrics: SILENT_METRICS,
    checkpoint: passCheckpoint,
    applyDayMove: async () => {},
    onCallbackDue: () => {
      ended.count += 1
    },
    sweepIntervalMs: SWEEP_INTERVAL_MS,
    submittingResolveMs: SUBMITTING_RESOLVE_MS,
  }
  const vendor = { name: PROVIDER, driver, makes: () => true, expiresAfterSeconds: undefined }
  const asking = { ...tools, findVendor: () => vendor }
  const parts = { ...asking, applySnapshot: applySnapshot(asking) }
  return {
    tools,
    get: getTask({ ...parts, sync: syncTask(parts) }),
    delete: deleteTask({ ...parts, prices: { findVideoModel: (name) => videoModelOf({ name }) } }),
    notices: createNoticeQueue({ ...parts, processNotice: processNotice(parts) }),
    sweep: sweepTasks({
      ...parts,
      ping: store.ping,
      pauseMsMax: SUBMITTING_RESOLVE_MS,
      pause: (ms) => sleep(ms, undefined, { ref: false }),
      provider: PROVIDER,
      poll: pollTask(driver, { ...parts, withdrawRevoked: async () => false, sendAttempt: async () => {} }),
    }),
    log,
    ended,
  }
}
