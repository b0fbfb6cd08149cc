import { splitModelName } from '../../domain/catalog/model.ts'
import { isVendorsFailure, vendorCostOf } from '../../domain/video/hand-over.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { HandOver } from '../../ports/task-attempts.ts'
import type { StoredTask, TaskStore, TaskWithContent } from '../../ports/tasks.ts'
import type { Runtime } from '../runtime.ts'
import type { FindVendor, Vendor } from './vendors.ts'

export interface FindStandInTools {
  findVendor: FindVendor
  /** Ignores a forward jump of the system clock for a while, so that nothing expires too early. */
  deadlineClock: Clock
}

export interface HandOverFailedTools extends FindStandInTools, Pick<Runtime, 'checkpoint' | 'clock' | 'log'> {
  tasks: Pick<TaskStore, 'handOver'>
  metrics: Pick<Metrics, 'taskHandedOver'>
}

/**
 * Hands over a task that its vendor took and then failed, for a reason that is not about the order. The next stand-in
 * becomes the current attempt, which the sweep sends. Returns undefined when the task is not handed over.
 */
export async function handOverFailed(
  task: StoredTask,
  snapshot: Snapshot,
  tools: HandOverFailedTools,
): Promise<TaskWithContent | undefined> {
  const { error, measured } = snapshot
  if (task.standIns.length === 0 || task.withheldAtMs !== null || hasEnded(task.status)) return undefined
  if (error === undefined || !isVendorsFailure(snapshot)) return undefined
  const vendorCostMicros = vendorCostOf(measured)
  const ended = { reason: error.code, message: error.message, vendorCostMicros, measured }
  return passOn(task, { ...ended, state: 'failed' }, tools)
}

/** Returns undefined when no stand-in is left, or the task has changed meanwhile. */
export async function passOn(
  task: StoredTask,
  ended: HandOver['ended'],
  tools: HandOverFailedTools,
): Promise<TaskWithContent | undefined> {
  const [next] = askableStandIns(task, tools)
  if (next === undefined) return undefined
  const { provider, servedModel: model, standIns } = next
  const atMs = tools.clock.nowMs()
  tools.checkpoint('attempt.before-hand-over')
  const handed = await tools.tasks.handOver({
    task,
    sentAtMs: task.attemptAtMs ?? task.createdAtMs,
    ended,
    next: { provider, model, standIns, noticeTokenDigest: null, sentAtMs: null, nextPollAtMs: atMs },
    atMs,
  })
  if (handed.kind !== 'handed-over') return undefined
  tools.checkpoint('attempt.after-hand-over')
  noteHandOver(handed.task, { provider: task.provider, reason: ended.reason }, tools)
  return handed.task
}

/** Yields stand-ins in the order of the catalog, except those without a configured vendor or with too little time. */
export function* askableStandIns(
  { standIns, expiresAtMs }: Pick<StoredTask, 'standIns' | 'expiresAtMs'>,
  tools: FindStandInTools,
): Generator<{
  servedModel: string
  provider: string
  vendor: Vendor
  leftSeconds: number
  standIns: readonly string[]
}> {
  for (const [index, servedModel] of standIns.entries()) {
    const { provider } = splitModelName(servedModel)
    const askable = findAskable({ provider, servedModel, expiresAtMs }, tools)
    if (askable !== undefined) {
      yield { ...askable, servedModel, provider, standIns: standIns.slice(index + 1) }
    }
  }
}

/** Returns undefined when the vendor is not configured for the model, or would have less than its minimum time. */
export function findAskable(
  { provider, servedModel, expiresAtMs }: Pick<StoredTask, 'provider' | 'servedModel' | 'expiresAtMs'>,
  { findVendor, deadlineClock }: FindStandInTools,
): { vendor: Vendor; leftSeconds: number } | undefined {
  const vendor = findVendor(provider)
  const leftSeconds = Math.floor((expiresAtMs - deadlineClock.nowMs()) / 1_000)
  if (vendor === undefined || !vendor.makes(splitModelName(servedModel))) return undefined
  return leftSeconds >= Math.max(1, vendor.expiresMinSeconds ?? 0) ? { vendor, leftSeconds } : undefined
}

export function noteHandOver(
  { id: taskId, organizationId, model: asked, servedModel: served }: StoredTask,
  { provider, reason }: { provider: string; reason: string },
  { metrics, log }: Pick<HandOverFailedTools, 'metrics' | 'log'>,
): void {
  metrics.taskHandedOver({ asked, served, reason })
  log.info('task.handed_over', { taskId, organizationId, provider, reason, code: served })
}
