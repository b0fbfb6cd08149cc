import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { assetIdOf } from '../../domain/video/asset-references.ts'
import { costOfTask, type TaskPricing } from '../../domain/video/cost-of-task.ts'
import type { VideoOrder } from '../../domain/video/families/families.ts'
import type { FamilyRow } from '../../domain/video/families/family.ts'
import type { ContentItem, VideoRequest } from '../../domain/video/request.ts'
import type { NewHold } from '../../ports/ledger.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { IdempotencyClaim, NewTask } from '../../ports/tasks.ts'
import type { Runtime } from '../runtime.ts'
import { orderJson } from '../views/order.ts'
import { encryptCallbackUrl, encryptRequest } from './encrypted.ts'
import { digestNoticeToken, makeNoticeToken, noticeUrlOf } from './notice-token.ts'
import type { PlacedOrder } from './place-order.ts'
import type { Quote } from './quote-id.ts'
import { submittingEndsAtMs } from './resolve-submitting.ts'
import type { Vendor } from './vendors.ts'

/** Two days, if neither the client nor the operator sets the time of a task. */
const EXPIRES_AFTER_SECONDS = 172_800

/** The sweep ends a task at its deadline or soon after. The money is held longer, so that the sweep can still settle it. */
const HOLD_BEYOND_DEADLINE_MS = 3_600_000

const REPLAYED_FOR_MS = 24 * 3_600_000

/** Idempotency key of a request, and the digest of its body, which repeated requests must share. */
export interface Idempotency {
  key: string
  bodyDigest: string
}

/** The rows and the call of a new task, with its ids and secrets. */
export interface TaskDraft {
  task: NewTask
  /** The day of the hold is chosen with the reservation. */
  hold: Omit<NewHold, 'day'>
  claim: IdempotencyClaim | undefined
  quoteId: string | undefined
  groupIds: readonly string[]
  order: VideoOrder
  expiresAfterSeconds: number
  noticeUrl: string | undefined
}

export interface DraftSettings {
  /** Base URL for vendors' notices; undefined: there are none. */
  noticeBaseUrl: string | undefined
  /** Whether tasks of families with notices get callbacks even without a notice address. */
  callbacksBySweep: boolean
  /** Maximum time a task waits for the answer to its create call. */
  submittingResolveSeconds: number
}

export function draftTask(
  planned: Pick<PlacedOrder, 'provider' | 'order' | 'use' | 'groupIds' | 'family'> & {
    request: VideoRequest
    caller: Caller
    requestId?: string | undefined
    idempotency: Idempotency | undefined
    quote: Quote | undefined
    pricing: TaskPricing
    vendor: Vendor | undefined
    standIns: readonly string[]
  },
  tools: Pick<Runtime, 'clock' | 'newId' | 'secrets'> & { settings: DraftSettings },
): TaskDraft {
  const { request, caller, requestId, idempotency, quote, pricing, vendor, standIns } = planned
  const { provider, order, groupIds, family } = planned
  const { newId, clock, secrets, settings } = tools
  const { organizationId, userId, keyId } = caller
  const id = newId('task')
  const createdAtMs = clock.nowMs()
  const expiresAfterSeconds = chooseExpiry(request, vendor)
  const expiresAtMs = createdAtMs + expiresAfterSeconds * 1_000
  const notice = draftNotice(family, organizationId, tools)
  const { callbackUrl } = request
  return {
    order,
    expiresAfterSeconds,
    noticeUrl: notice?.url,
    task: {
      id,
      organizationId,
      userId,
      keyId,
      model: request.model,
      alias: request.alias,
      provider,
      ...(standIns.length === 0 ? {} : { standIns, encryptedRequest: encryptRequest(request, id, secrets) }),
      metadata: request.metadata,
      requestId,
      pricing,
      encryptedCallbackUrl: callbackUrl === undefined ? null : encryptCallbackUrl(callbackUrl, id, secrets),
      owesCallback: callbackUrl !== undefined && sendsCallbacks(family, settings),
      createdAtMs,
      expiresAtMs,
      noticeTokenDigest: notice?.digest ?? null,
      ordered: JSON.stringify({
        order: orderJson({ ...planned, expiresAfterSeconds }, (item) => digestItem(item, secrets)),
        persons: groupIds,
      }),
      nextPollAtMs: submittingEndsAtMs(
        { createdAtMs, expiresAtMs },
        settings.submittingResolveSeconds * 1_000,
      ),
    },
    hold: {
      id: newId('hold'),
      organizationId,
      userId,
      taskId: id,
      amountMicros: pricing.maxMicros ?? costOfTask(pricing, {}),
      createdAtMs,
      expiresAtMs: expiresAtMs + HOLD_BEYOND_DEADLINE_MS,
    },
    quoteId: quote?.id,
    groupIds,
    claim: idempotency && { ...idempotency, keyId, expiresAtMs: createdAtMs + REPLAYED_FOR_MS },
  }
}

/** Families with notices send callbacks only if there is a notice address, or if the sweep sends callbacks. */
function sendsCallbacks(
  { takesNotices }: FamilyRow,
  { noticeBaseUrl, callbacksBySweep }: DraftSettings,
): boolean {
  return !takesNotices || noticeBaseUrl !== undefined || callbacksBySweep
}

/** Prompts and addresses are not kept. A client that has them can prove by the digest that they were ordered. */
function digestItem(item: ContentItem, { sha256 }: Secrets): object {
  if (item.kind === 'text') return { type: 'text', role: item.role, sha256: sha256(item.text) }
  const { role, tag, timeStampSeconds } = item
  const assetId = assetIdOf(item.url)
  const named = assetId === undefined ? { sha256: sha256(item.url) } : { asset_id: assetId }
  return { type: `${item.kind}_url`, ...named, role, tag, time_stamp: timeStampSeconds }
}

/** A vendor may bill a video that it makes after the deadline, so an operator can set a minimum for clients. */
function chooseExpiry(request: VideoRequest, vendor: Vendor | undefined): number {
  const { executionExpiresAfterSeconds: requested } = request
  const least = vendor?.expiresMinSeconds ?? 0
  if (requested !== undefined && requested < least) {
    throw new ApiError('invalid_parameter', {
      param: 'execution_expires_after',
      message: `'execution_expires_after' must be at least ${least} seconds for this model.`,
    })
  }
  return requested ?? vendor?.expiresAfterSeconds ?? EXPIRES_AFTER_SECONDS
}

/** Each attempt has its own token, so a notice about an earlier attempt finds no task. */
export function draftNotice(
  { takesNotices }: FamilyRow,
  organizationId: string,
  { secrets, settings: { noticeBaseUrl } }: { secrets: Secrets; settings: DraftSettings },
): { url: string; digest: string } | undefined {
  if (!takesNotices || noticeBaseUrl === undefined) return undefined
  const token = makeNoticeToken(secrets, organizationId)
  return { url: noticeUrlOf(noticeBaseUrl, token), digest: digestNoticeToken(token, secrets) }
}
