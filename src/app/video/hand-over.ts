import { ApiError } from '../../domain/api-error.ts'
import { canStandIn } from '../../domain/video/can-stand-in.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'
import type { RefusalReason } from '../../domain/video/hand-over.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { AssetResolver } from '../../ports/asset-store.ts'
import type { HandOver } from '../../ports/task-attempts.ts'
import type { StoredTask } from '../../ports/tasks.ts'
import type { Submission, VideoDriver } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { Runtime } from '../runtime.ts'
import { type DraftSettings, draftNotice } from './draft-task.ts'
import {
  askableStandIns,
  type FindStandInTools,
  findAskable,
  type HandOverFailedTools,
  noteHandOver,
} from './hand-over-failed.ts'
import { type PlacedOrder, placeOrder } from './place-order.ts'
import { submittingEndsAtMs } from './resolve-submitting.ts'
import type { Vendor } from './vendors.ts'

type FindModel = Pick<PriceBook, 'findModel' | 'findVideoModel' | 'offeredNames'>

/** Returns the models that may take over this order, in the order of the catalog. Without stand-ins it makes no query. */
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

export interface VideoAttempt {
  task: Pick<
    StoredTask,
    'id' | 'organizationId' | 'attempt' | 'provider' | 'servedModel' | 'standIns' | 'pricing' | 'expiresAtMs'
  >
  vendor: Vendor | undefined
  call: Parameters<VideoDriver['create']>[0]
  sentAtMs: number
}

export interface NextAttemptTools extends FindStandInTools, Pick<Runtime, 'clock' | 'secrets'> {
  prices: FindModel
  assets: AssetResolver
  settings: DraftSettings
}

export type HandOverTools = NextAttemptTools & HandOverFailedTools

/**
 * Hands over a task that its vendor refused at creation for a reason of its own. The next stand-in is stored as the
 * current attempt, which the caller sends. Returns undefined when none is left, or the task has ended meanwhile.
 */
export async function handOverAtCreate(
  { task, sentAtMs }: VideoAttempt,
  { request, reason }: { request: VideoRequest; reason: RefusalReason },
  tools: HandOverTools,
): Promise<VideoAttempt | undefined> {
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

/** Skips stand-ins that cannot be called now. */
async function nextAttempt(
  task: VideoAttempt['task'],
  request: VideoRequest,
  tools: NextAttemptTools,
): Promise<DraftedAttempt | undefined> {
  for (const { servedModel, provider, standIns } of askableStandIns(task, tools)) {
    const next = { ...task, attempt: task.attempt + 1, provider, servedModel, standIns }
    const drafted = await draftAttempt(next, request, tools)
    if (drafted !== undefined) return drafted
  }
  return undefined
}

type DraftedAttempt = VideoAttempt & { noticeTokenDigest: string | null }

/** Drafts the call to the current stand-in of a task. Returns undefined when it cannot be called now. */
export async function draftAttempt<T extends VideoAttempt['task']>(
  task: T,
  request: VideoRequest,
  tools: NextAttemptTools,
): Promise<(DraftedAttempt & { task: T }) | undefined> {
  const { organizationId, servedModel } = task
  const askable = findAskable(task, tools)
  if (askable === undefined) return undefined
  const placed = await placeAgain({ ...request, model: servedModel }, organizationId, tools)
  if (placed === undefined || !askable.vendor.makes(placed.order)) return undefined
  const notice = draftNotice(placed.family, organizationId, tools)
  return {
    task,
    vendor: askable.vendor,
    call: {
      organizationId,
      order: placed.order,
      expiresAfterSeconds: askable.leftSeconds,
      noticeUrl: notice?.url,
    },
    sentAtMs: tools.clock.nowMs(),
    noticeTokenDigest: notice?.digest ?? null,
  }
}

/** Returns undefined when the stand-in cannot take the order, because the catalog or an asset has changed since. */
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

/** Calls the vendor once. When a driver throws, the vendor may have taken the task. */
export async function submit({ vendor, call }: VideoAttempt): Promise<Submission> {
  if (vendor === undefined) return { kind: 'refused', apiError: new ApiError('provider_not_configured') }
  try {
    return await vendor.driver.create(call)
  } catch (cause) {
    return { kind: 'lost', cause }
  }
}

export function logLoss({ task }: VideoAttempt, error: unknown, { log }: Pick<Runtime, 'log'>): void {
  const { id, organizationId, provider } = task
  log.warn('task.answer_lost', { taskId: id, organizationId, provider, error })
}
