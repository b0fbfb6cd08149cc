import { ApiError } from '../../domain/api-error.ts'
import { splitModelName } from '../../domain/catalog/model.ts'
import { canStandIn } from '../../domain/video/can-stand-in.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'
import type { RefusalReason } from '../../domain/video/hand-over.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { AssetResolver } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { HandOver } from '../../ports/task-attempts.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import { type DraftSettings, draftNotice } from './draft-task.ts'
import { type PlacedOrder, placeOrder } from './place-order.ts'
import { submittingEndsAtMs } from './resolve-submitting.ts'
import type { FindVendor, Vendor } from './vendors.ts'

type FindModel = Pick<PriceBook, 'findModel' | 'findVideoModel' | 'offeredNames'>

/** The models that may step in for this order, in the order of the catalog. A model without stand-ins costs nothing here. */
export async function standInsFor(
  request: VideoRequest,
  organizationId: string,
  { placed, prices }: { placed: PlacedOrder; prices: FindModel },
): Promise<string[]> {
  const able: string[] = []
  for (const name of placed.model.standIns ?? []) {
    const row = await prices.findModel(name, organizationId)
    const model = row && videoModelOf(row)
    if (model !== undefined && canStandIn(request, placed, { name, model })) able.push(name)
  }
  return able
}

/** One call to one vendor for a task. */
export interface Attempt {
  task: Pick<
    StoredTask,
    'id' | 'organizationId' | 'attempt' | 'provider' | 'servedModel' | 'standIns' | 'pricing' | 'expiresAtMs'
  >
  vendor: Vendor | undefined
  call: Parameters<VideoDriver['create']>[0]
  sentAtMs: number
}

export interface NextAttemptTools {
  prices: FindModel
  assets: AssetResolver
  secrets: Secrets
  findVendor: FindVendor
  clock: Clock
  /** Decides what is over. */
  deadlineClock: Clock
  settings: DraftSettings
}

export interface HandOverTools extends NextAttemptTools {
  tasks: Pick<TaskStore, 'handOver'>
  metrics: Pick<Metrics, 'taskHandedOver'>
  log: Log
}

/**
 * The vendor of a task that is being created refused it for a reason of its own: the next stand-in is written down as the
 * current attempt, and is sent by the caller. undefined: none is left, or the task has ended meanwhile.
 */
export async function handOverAtCreate(
  { task, sentAtMs }: Attempt,
  { request, reason }: { request: VideoRequest; reason: RefusalReason },
  tools: HandOverTools,
): Promise<Attempt | undefined> {
  const next = await nextAttempt(task, request, tools)
  if (next === undefined) return undefined
  const { noticeTokenDigest, ...attempt } = next
  const resolveMs = tools.settings.submittingResolveSeconds * 1_000
  const change: HandOver = {
    task: { ...task, encryptedTicket: null },
    sentAtMs,
    ended: { state: 'refused', reason, message: null, vendorCostMicros: null },
    next: {
      provider: attempt.task.provider,
      model: attempt.task.servedModel,
      standIns: attempt.task.standIns,
      noticeTokenDigest,
      sentAtMs: attempt.sentAtMs,
      nextPollAtMs: submittingEndsAtMs(
        { createdAtMs: attempt.sentAtMs, expiresAtMs: task.expiresAtMs },
        resolveMs,
      ),
    },
    atMs: attempt.sentAtMs,
  }
  const handed = await tools.tasks.handOver(change)
  if (handed.kind !== 'handed-over') return undefined
  noteHandOver(handed.task, { provider: task.provider, reason }, tools)
  return attempt
}

/** Stand-ins that cannot be asked now are passed over. */
async function nextAttempt(
  task: Attempt['task'],
  request: VideoRequest,
  tools: NextAttemptTools,
): Promise<(Attempt & { noticeTokenDigest: string | null }) | undefined> {
  const { organizationId, expiresAtMs } = task
  for (const [index, servedModel] of task.standIns.entries()) {
    const { provider } = splitModelName(servedModel)
    const vendor = tools.findVendor(provider)
    const leftSeconds = Math.floor((expiresAtMs - tools.deadlineClock.nowMs()) / 1_000)
    if (vendor === undefined || leftSeconds < Math.max(1, vendor.expiresMinSeconds ?? 0)) continue
    const placed = await placeAgain({ ...request, model: servedModel }, organizationId, tools)
    if (placed === undefined) continue
    const notice = draftNotice(placed.family, organizationId, tools)
    const standIns = task.standIns.slice(index + 1)
    return {
      task: { ...task, attempt: task.attempt + 1, provider, servedModel, standIns },
      vendor,
      call: {
        organizationId,
        order: placed.order,
        expiresAfterSeconds: leftSeconds,
        noticeUrl: notice?.url,
      },
      sentAtMs: tools.clock.nowMs(),
      noticeTokenDigest: notice?.digest ?? null,
    }
  }
  return undefined
}

/** The catalog or an asset may have changed since the order was taken: the stand-in is then passed over. */
async function placeAgain(
  request: VideoRequest,
  organizationId: string,
  tools: NextAttemptTools,
): Promise<PlacedOrder | undefined> {
  try {
    return await placeOrder(request, organizationId, tools)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function noteHandOver(
  { id: taskId, organizationId, model: asked, servedModel: served }: StoredTask,
  { provider, reason }: { provider: string; reason: string },
  { metrics, log }: Pick<HandOverTools, 'metrics' | 'log'>,
): void {
  metrics.taskHandedOver({ asked, served, reason })
  log.info('task.handed_over', { taskId, organizationId, provider, reason, code: served })
}
