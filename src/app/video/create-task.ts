import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { AssetResolver } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { Submission } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { Upload } from '../media/place-upload.ts'
import { type AcceptTools, acceptTask } from './accept-task.ts'
import { type BeginTools, beginTask } from './begin-task.ts'
import { draftTask, type Idempotency, type TaskDraft } from './draft-task.ts'
import { viewOf } from './encrypted.ts'
import { type ForgetTools, forgetTask } from './forget-task.ts'
import { handOverAtCreate, logLoss, standInsFor, submit, type VideoAttempt } from './hand-over.ts'
import { placeOrder, priceOrder, withModelName } from './place-order.ts'
import { openQuote } from './quote-id.ts'
import type { FindVendor, Vendor } from './vendors.ts'

export type CreateTask = (command: {
  request: VideoRequest
  caller: Caller
  idempotency: Idempotency | undefined
  /** Quote whose price is the maximum charge. */
  quoteId?: string | undefined
  requestId?: string | undefined
  /** File that a content item links to, which is kept before the vendor is called. */
  upload?: Upload | undefined
}) => Promise<TaskView>

export interface CreateTaskTools
  extends Omit<AcceptTools, 'tasks'>,
    Omit<BeginTools, 'tasks' | 'settings'>,
    Omit<ForgetTools, 'tasks' | 'settings'> {
  tasks: Pick<TaskStore, 'findReplay' | 'begin' | 'accept' | 'handOver' | 'forget'>
  prices: Pick<PriceBook, 'findModel' | 'findVideoModel' | 'offeredNames'>
  assets: AssetResolver
  deadlineClock: Clock
  findVendor: FindVendor
}

/**
 * Checks the request, reserves money and writes the intent, calls each vendor at most once, and stores the answer. A crash
 * between two steps leaves a task in `submitting`, which the sweep resolves; only an error undoes the request. A repeated
 * request gets the task of its idempotency key before any other check, even if the catalog or the balance has changed.
 */
export function createTask(tools: CreateTaskTools): CreateTask {
  const { secrets, checkpoint, findVendor } = tools

  return async ({ request: asked, caller, idempotency, quoteId, requestId, upload }) => {
    const earlier = await findEarlier(caller, idempotency, tools)
    if (earlier !== undefined) return earlier
    const request = await withModelName(asked, caller, tools.prices)
    const quote = quoteId === undefined ? undefined : openQuote({ quoteId, request }, caller, tools)
    const placed = await placeOrder(request, caller.organizationId, tools)
    const pricing = quote?.pricing ?? priceOrder(placed)
    const vendor = findVendor(placed.provider)
    const standIns = await standInsFor(request, caller.organizationId, { placed, prices: tools.prices })
    const planned = { ...placed, request, caller, requestId, idempotency, quote, pricing, vendor, standIns }
    const draft = draftTask(planned, tools)

    const begun = await beginTask(draft, tools)
    if (begun.kind === 'replay') return raceWinner(caller, idempotency, tools)
    const { id: taskId, organizationId, keyId, model } = draft.task
    const owner = { taskId, organizationId, keyId, provider: placed.provider, model }
    await upload?.keep(owner).catch(async (error: unknown) => {
      await forgetTask({ ...draft, day: begun.day }, tools)
      throw error
    })
    const { attempt, submission } = await sendUntilTaken(firstAttempt(draft, vendor), request, tools)

    switch (submission.kind) {
      case 'accepted': {
        const task = await acceptTask(attempt.task, submission, tools)
        checkpoint('create.after-accept')
        checkpoint('create.answering')
        return viewOf({ ...task, metadata: draft.task.metadata }, secrets)
      }
      case 'refused':
        await forgetTask({ ...draft, day: begun.day }, tools)
        throw submission.apiError
      case 'lost':
        logLoss(attempt, submission.cause, tools)
        throw lostAnswer(draft, submission.cause)
    }
  }
}

/** Calls the next stand-in after a refusal for the vendor's own reason. If none takes the task, the first refusal counts. */
async function sendUntilTaken(
  first: VideoAttempt,
  request: VideoRequest,
  tools: CreateTaskTools,
): Promise<{ attempt: VideoAttempt; submission: Submission }> {
  let attempt = first
  let refused: Submission | undefined
  for (;;) {
    const submission = await submit(attempt)
    tools.checkpoint(attempt === first ? 'create.after-upstream' : 'create.after-stand-in')
    if (submission.kind !== 'refused') return { attempt, submission }
    refused ??= submission
    const { reason } = submission
    if (reason === undefined || attempt.task.standIns.length === 0) return { attempt, submission: refused }
    tools.checkpoint('create.before-hand-over')
    const next = await handOver(attempt, { request, reason }, tools)
    if (next === undefined) return { attempt, submission: refused }
    tools.checkpoint('create.after-hand-over')
    attempt = next
  }
}

/** When the store cannot write the hand-over, the request ends with the refusal, because nothing more was sent. */
async function handOver(
  attempt: VideoAttempt,
  why: Parameters<typeof handOverAtCreate>[1],
  tools: CreateTaskTools,
): Promise<VideoAttempt | undefined> {
  try {
    return await handOverAtCreate(attempt, why, tools)
  } catch (error) {
    const { id: taskId, organizationId, provider } = attempt.task
    tools.log.warn('task.hand_over_failed', { taskId, organizationId, provider, error })
    return undefined
  }
}

function firstAttempt(draft: TaskDraft, vendor: Vendor | undefined): VideoAttempt {
  const { task, order, expiresAfterSeconds, noticeUrl } = draft
  const { organizationId, model: servedModel, standIns = [], createdAtMs: sentAtMs } = task
  return {
    task: { ...task, attempt: 1, servedModel, standIns },
    vendor,
    call: { organizationId, order, expiresAfterSeconds, noticeUrl },
    sentAtMs,
  }
}

async function findEarlier(
  { keyId }: Caller,
  idempotency: Idempotency | undefined,
  { tasks, deadlineClock, secrets }: Pick<CreateTaskTools, 'tasks' | 'deadlineClock' | 'secrets'>,
): Promise<TaskView | undefined> {
  if (idempotency === undefined) return undefined
  const earlier = await tasks.findReplay({ ...idempotency, keyId, nowMs: deadlineClock.nowMs() })
  switch (earlier?.kind) {
    case undefined:
      return undefined
    case 'replay':
      return viewOf(earlier.task, secrets)
    case 'in-progress':
      throw new ApiError('idempotency_key_in_use')
    case 'other-body':
      throw new ApiError('idempotency_key_reused')
  }
}

/** Returns the task of an equal request that came at the same time and was faster. */
async function raceWinner(
  caller: Caller,
  idempotency: Idempotency | undefined,
  tools: CreateTaskTools,
): Promise<TaskView> {
  const winner = await findEarlier(caller, idempotency, tools)
  if (winner === undefined) throw new ApiError('idempotency_key_in_use')
  return winner
}

function lostAnswer({ claim }: TaskDraft, cause: unknown): ApiError {
  const advice =
    claim === undefined
      ? 'If it did, the task may show up in the list; otherwise nothing is charged.'
      : 'Repeat the request with the same Idempotency-Key to learn what became of it.'
  const message = `The provider did not answer and may or may not have taken the task. ${advice}`
  return new ApiError('provider_unavailable', { message, cause })
}
