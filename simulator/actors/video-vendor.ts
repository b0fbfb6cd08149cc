import { ApiError } from '../../src/domain/api-error.ts'
import type { Measured, Snapshot } from '../../src/domain/video/snapshot.ts'
import type { Deletion, Reading, Submission, VideoDriver } from '../../src/ports/video-driver.ts'
import type { Random } from '../kernel/random.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'

/** One video as its vendor knows it: the books are checked against it. */
export interface VideoRecord {
  ticket: string
  /** The words of the order that tell which one it is. */
  tag: string
  provider: string
  status: Snapshot['status']
  measured: Measured
  /** From then on the vendor does not know it any more. */
  isDeleted: boolean
  noticeToken: string | undefined
}

export interface VideoVendor {
  records: Map<string, VideoRecord>
  openFor(owner: Owner, provider: string): VideoDriver
}

type Tell = (notice: { token: string; ticket: string }) => void

const JOURNEY_MS_MAX = 40
/** Below the time that a create call may take. */
const LATE_MS_MAX = 20_000
const QUEUED_MS_MAX = 15_000
const RUNNING_MS_MAX = 40_000

/** `tell` brings a notice to one of the replicas. */
export function createVideoVendor({
  world,
  faults,
  tell,
}: {
  world: World
  faults: Faults
  tell: Tell
}): VideoVendor {
  const random = world.random.branch('video vendor')
  const records = new Map<string, VideoRecord>()

  /** Asks the vendor: `act` happens there, and its answer comes back unless the replica has crashed. */
  function ask<T>(
    owner: Owner,
    label: string,
    act: () => T,
    backMs = random.whole(0, JOURNEY_MS_MAX),
  ): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    world.after(random.whole(0, JOURNEY_MS_MAX), OUTSIDE, `vendor ${label}`, () => {
      const answer = act()
      world.after(backMs, owner, `${owner.name} hears ${label}`, () => resolve(answer))
    })
    return promise
  }

  function take(provider: string, order: unknown, noticeUrl: string | undefined): VideoRecord {
    const tag = /tag-\d+/.exec(JSON.stringify(order))?.[0] ?? 'no tag'
    const record: VideoRecord = {
      ticket: `ticket-${records.size + 1}`,
      tag,
      provider,
      status: 'queued',
      isDeleted: false,
      measured: measuredBy(provider, random),
      noticeToken:
        noticeUrl === undefined ? undefined : (new URL(noticeUrl).searchParams.get('token') ?? undefined),
    }
    records.set(record.ticket, record)
    world.tell(provider, `takes ${tag} as ${record.ticket}`)
    later(record, random.whole(0, QUEUED_MS_MAX), 'running', () => {
      const end = random.chance(0.8) ? 'succeeded' : 'failed'
      later(record, random.whole(0, RUNNING_MS_MAX), end, () => {})
    })
    return record
  }

  function later(record: VideoRecord, ms: number, status: Snapshot['status'], then: () => void): void {
    world.after(ms, OUTSIDE, `${record.ticket} ${status}`, () => {
      if (record.isDeleted) return
      record.status = status
      world.tell(record.provider, `${record.ticket} is ${status}`)
      notify(record)
      then()
    })
  }

  /** A notice may be lost, and may come twice or late. */
  function notify({ noticeToken: token, ticket }: VideoRecord): void {
    if (token === undefined || faults.happens('notice', 0.2)) return
    const times = faults.happens('notice', 0.2) ? 3 : 1
    for (let count = 0; count < times; count += 1)
      world.after(random.whole(0, faults.happens('notice', 0.2) ? LATE_MS_MAX : 100), OUTSIDE, 'notice', () =>
        tell({ token, ticket }),
      )
  }

  function openFor(owner: Owner, provider: string): VideoDriver {
    const driver: VideoDriver = {
      create({ order, noticeUrl }) {
        const isRefused = faults.happens('vendor-error', 0.08)
        const isLost = faults.happens('lost-submission', 0.08)
        const isTaken = !isLost || random.chance(0.5)
        const backMs = random.whole(0, random.chance(0.1) ? LATE_MS_MAX : JOURNEY_MS_MAX)
        return ask(
          owner,
          'create',
          (): Submission => {
            if (isRefused) return { kind: 'refused', apiError: new ApiError('provider_unavailable') }
            const record = isTaken ? take(provider, order, noticeUrl) : undefined
            return isLost || record === undefined
              ? { kind: 'lost', cause: new Error('no answer') }
              : { kind: 'accepted', ticket: record.ticket, snapshot: snapshotOf(record) }
          },
          backMs,
        )
      },
      read(ticket) {
        const isUnanswered = faults.happens('vendor-silence', 0.05)
        const backMs = random.whole(0, random.chance(0.05) ? LATE_MS_MAX : JOURNEY_MS_MAX)
        return ask(
          owner,
          'read',
          (): Reading => {
            const record = records.get(ticket)
            if (isUnanswered)
              return { kind: 'unanswered', cause: new Error('no answer'), retryAfterMs: undefined }
            if (record === undefined || record.isDeleted) return { kind: 'gone' }
            return { kind: 'snapshot', snapshot: snapshotOf(record) }
          },
          backMs,
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

function measuredBy(provider: string, random: Random): Measured {
  return provider === 'vendorA'
    ? { completionTokens: random.whole(1_000, 200_000) }
    : { credits: random.whole(1, 60), seconds: random.whole(4, 10) }
}

function snapshotOf({ status, measured, ticket }: VideoRecord): Snapshot {
  const isMade = status === 'succeeded'
  return {
    status,
    content: isMade ? { video_url: `https://vendor.example/${ticket}` } : undefined,
    error: status === 'failed' ? { code: 'made_up', message: 'made up' } : undefined,
    measured: isMade ? measured : {},
  }
}
