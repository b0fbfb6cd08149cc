import { ApiError } from '../../src/domain/api-error.ts'
import type { VideoOrder } from '../../src/domain/video/families/families.ts'
import type { RefusalReason } from '../../src/domain/video/hand-over.ts'
import type { Snapshot, VendorMeasures } from '../../src/domain/video/snapshot.ts'
import type { Deletion, Reading, Submission, VideoDriver } from '../../src/ports/video-driver.ts'
import type { AssetBooks } from '../books/asset-books.ts'
import type { AttemptBooks, Sent, VideoRecord } from '../books/attempt-books.ts'
import type { Random } from '../kernel/random.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'

export interface VideoVendor {
  records: Map<string, VideoRecord>
  openFor(owner: Owner, provider: string): VideoDriver
}

/** Reason of a vendor's refusal: its own, or the order. */
type Refusal = RefusalReason | 'the order'

type NotifyReplica = (notice: { token: string; ticket: string }) => void

const JOURNEY_MS_MAX = 40
/** Maximum delay, below the time limit of a create call. */
const LATE_MS_MAX = 20_000
const QUEUED_MS_MAX = 15_000
const RUNNING_MS_MAX = 40_000
const OWN_REASONS: readonly RefusalReason[] = ['rate_limited', 'no_credit', 'server_error', 'unreachable']
/** The last code is about the order, the others are about the vendor. */
const ERROR_CODES = ['made_up', 'internal_error', 'content_policy_violation']

/** `notifyReplica` brings a notice to one of the replicas. */
export function createVideoVendor({
  world,
  faults,
  attempts,
  assets,
  notifyReplica,
}: {
  world: World
  faults: Faults
  attempts: AttemptBooks
  assets: AssetBooks
  notifyReplica: NotifyReplica
}): VideoVendor {
  const random = world.random.branch('video vendor')
  const records = new Map<string, VideoRecord>()

  /** Calls the vendor: `act` runs there, and its answer comes back unless the replica has crashed. */
  function ask<T>(
    owner: Owner,
    label: string,
    act: () => T,
    { backMs = random.whole(0, JOURNEY_MS_MAX), heard = () => {} } = {},
  ): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    world.after(random.whole(0, JOURNEY_MS_MAX), OUTSIDE, `vendor ${label}`, () => {
      const answer = act()
      world.after(backMs, owner, `${owner.name} hears ${label}`, () => {
        heard()
        resolve(answer)
      })
    })
    return promise
  }

  function take(provider: string, tag: string, noticeUrl: string | undefined): VideoRecord {
    const record: VideoRecord = {
      ticket: `ticket-${records.size + 1}`,
      tag,
      provider,
      status: 'queued',
      succeededAtMs: undefined,
      isDeleted: false,
      errorCode: undefined,
      isFailureRead: false,
      measured: measuredBy(provider, random),
      noticeToken:
        noticeUrl === undefined ? undefined : (new URL(noticeUrl).searchParams.get('token') ?? undefined),
    }
    records.set(record.ticket, record)
    world.trace(provider, `takes ${tag} as ${record.ticket}`)
    later(record, random.whole(0, QUEUED_MS_MAX), 'running', () => {
      const end = random.chance(0.8) ? 'succeeded' : 'failed'
      const errorCode = end === 'failed' ? random.pick(ERROR_CODES) : undefined
      const isLateSuccess = end === 'failed' && faults.happens('late-success', 0.3)
      later(record, random.whole(0, RUNNING_MS_MAX), end, () => {
        record.errorCode = errorCode
        if (isLateSuccess) later(record, random.whole(0, LATE_MS_MAX), 'succeeded', () => {})
      })
    })
    return record
  }

  function later(record: VideoRecord, ms: number, status: Snapshot['status'], then: () => void): void {
    world.after(ms, OUTSIDE, `${record.ticket} ${status}`, () => {
      if (record.isDeleted) return
      record.status = status
      if (status === 'succeeded') record.succeededAtMs = world.wallMs
      then()
      world.trace(record.provider, `${record.ticket} is ${status}`)
      notify(record)
    })
  }

  /** A notice may be lost, and may come twice or late. */
  function notify({ noticeToken: token, ticket }: VideoRecord): void {
    if (token === undefined || faults.happens('notice', 0.2)) return
    const times = faults.happens('notice', 0.2) ? 3 : 1
    for (let count = 0; count < times; count += 1)
      world.after(random.whole(0, faults.happens('notice', 0.2) ? LATE_MS_MAX : 100), OUTSIDE, 'notice', () =>
        notifyReplica({ token, ticket }),
      )
  }

  /** undefined: the vendor does not refuse. */
  function refusal(): Refusal | undefined {
    if (!faults.happens('vendor-error', 0.15)) return undefined
    return random.chance(0.25) ? 'the order' : random.pick(OWN_REASONS)
  }

  /** An answer from 500 to 599 may be wrong: the vendor makes the video, and may even send notices about it. */
  function isDenied(reason: Refusal): boolean {
    return reason === 'server_error' && faults.happens('denied-submission', 0.5)
  }

  function openFor(owner: Owner, provider: string): VideoDriver {
    const driver: VideoDriver = {
      create({ organizationId, order, noticeUrl }) {
        const reason = refusal()
        const isLost = faults.happens('lost-submission', 0.08)
        const isTaken = reason === undefined ? !isLost || random.chance(0.5) : isDenied(reason)
        const backMs = random.whole(0, random.chance(0.1) ? LATE_MS_MAX : JOURNEY_MS_MAX)
        const sent: Sent = {
          ...{ tag: tagIn(order), model: `${provider}/${order.model}`, isReceived: false, record: undefined },
          ...{ answer: answerOf(reason, isLost), isGivenUp: false },
        }
        const heard = () => {
          sent.isReceived = true
        }
        return ask(
          owner,
          'create',
          (): Submission => {
            attempts.arrived(sent)
            for (const ticket of assetsIn(order)) assets.used(ticket, organizationId)
            world.trace(provider, `is sent ${sent.tag}: ${sent.answer}${reason ? ` (${reason})` : ''}`)
            if (isTaken) sent.record = take(provider, sent.tag, noticeUrl)
            return submissionOf(sent, reason)
          },
          { backMs, heard },
        )
      },
      read(ticket) {
        const isUnanswered = faults.happens('vendor-silence', 0.05)
        const backMs = random.whole(0, random.chance(0.05) ? LATE_MS_MAX : JOURNEY_MS_MAX)
        let hasFailed = false
        const heard = () => {
          const record = records.get(ticket)
          if (hasFailed && record !== undefined) record.isFailureRead = true
        }
        return ask(
          owner,
          'read',
          (): Reading => {
            const record = records.get(ticket)
            if (isUnanswered)
              return { kind: 'unanswered', cause: new Error('no answer'), retryAfterMs: undefined }
            if (record === undefined || record.isDeleted) return { kind: 'gone' }
            hasFailed = record.status === 'failed'
            return { kind: 'snapshot', snapshot: snapshotOf(record) }
          },
          { backMs, heard },
        )
      },
    }
    if (provider !== 'vendorA') return driver
    return {
      ...driver,
      delete(ticket) {
        const isUnanswered = faults.happens('vendor-silence', 0.05)
        return ask(owner, 'delete', (): Deletion => {
          const record = records.get(ticket)
          if (record === undefined || record.status === 'running') return { kind: 'refused' }
          if (record.status === 'queued') record.status = 'cancelled'
          record.isDeleted = true
          return isUnanswered ? { kind: 'unanswered', cause: new Error('no answer') } : { kind: 'deleted' }
        })
      },
    }
  }

  return { records, openFor }
}

function tagIn(order: VideoOrder): string {
  return /tag-\d+/.exec(JSON.stringify(order))?.[0] ?? 'no tag'
}

function assetsIn(order: VideoOrder): string[] {
  return [...JSON.stringify(order).matchAll(/asset:\/\/([\w-]+)/g)].map(([, ticket = '']) => ticket)
}

function answerOf(reason: Refusal | undefined, isLost: boolean): Sent['answer'] {
  if (reason === undefined) return isLost ? 'lost' : 'taken'
  return reason === 'the order' ? 'refused for the order' : 'refused for its own reasons'
}

function submissionOf({ answer, record }: Sent, reason: Refusal | undefined): Submission {
  if (reason === 'the order') return { kind: 'refused', apiError: new ApiError('invalid_parameter') }
  if (reason !== undefined) return { kind: 'refused', apiError: new ApiError('provider_unavailable'), reason }
  return answer === 'lost' || record === undefined
    ? { kind: 'lost', cause: new Error('no answer') }
    : { kind: 'accepted', ticket: record.ticket, snapshot: snapshotOf(record) }
}

function measuredBy(provider: string, random: Random): VendorMeasures {
  return provider === 'vendorA'
    ? { completionTokens: random.whole(1_000, 200_000) }
    : { credits: random.whole(1, 60), seconds: random.whole(4, 10) }
}

function snapshotOf({ status, measured, ticket, errorCode = 'made_up' }: VideoRecord): Snapshot {
  const isMade = status === 'succeeded'
  return {
    status,
    content: isMade ? { video_url: `https://vendor.example/${ticket}` } : undefined,
    error: status === 'failed' ? { code: errorCode, message: 'made up' } : undefined,
    measured: isMade ? measured : {},
  }
}
