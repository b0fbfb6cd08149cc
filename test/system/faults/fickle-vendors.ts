import type { Vendor } from '../../../src/app/video/vendors.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Snapshot } from '../../../src/domain/video/snapshot.ts'
import type { Reading, Submission, VideoDriver } from '../../../src/ports/video-driver.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'

/** One create call, and what the gateway can know of it. */
export interface Call {
  ticket: string
  outcome: 'accepted' | 'refused' | 'order-refused' | 'lost'
  /** Whether the vendor has reported a failure for its own reason. */
  saidFailed: boolean
  status: Snapshot['status']
}

/** Vendors that refuse orders, lose answers, fail tasks and later report some as succeeded, as their seed decides. */
export interface FickleVendors {
  find(provider: string): Vendor | undefined
  /** The calls for the order whose prompt has this word, in their order. */
  callsOf(word: string): readonly Call[]
  /** Makes the vendors answer every request from now on, and end every task that they took. */
  calmDown(): void
}

export function fickleVendors(random: SeededRandom): FickleVendors {
  const byWord = new Map<string, Call[]>()
  const byTicket = new Map<string, Call>()
  let isCalm = false
  const driver: VideoDriver = {
    async create({ order }): Promise<Submission> {
      const word = /order-\d+-/.exec(JSON.stringify(order))?.[0] ?? ''
      const ticket = `ticket-${byTicket.size}`
      const outcome = random.pick(isCalm ? CALM_OUTCOMES : OUTCOMES)
      const call: Call = { ticket, outcome, saidFailed: false, status: 'queued' }
      byWord.set(word, [...(byWord.get(word) ?? []), call])
      byTicket.set(ticket, call)
      await turn()
      switch (outcome) {
        case 'accepted':
          return { kind: 'accepted', ticket, snapshot: undefined }
        case 'refused':
          return { kind: 'refused', apiError: new ApiError('upstream_busy'), reason: 'rate_limited' }
        case 'order-refused':
          return { kind: 'refused', apiError: new ApiError('content_policy_violation') }
        case 'lost':
          return { kind: 'lost', cause: new Error('the answer was lost') }
      }
    },
    async read(ticket): Promise<Reading> {
      const call = byTicket.get(ticket)
      await turn()
      if (call === undefined) return { kind: 'gone' }
      if (!isCalm && random.next() < 0.1) return UNANSWERED
      return { kind: 'snapshot', snapshot: goOn(call) }
    },
    async delete(ticket) {
      const call = byTicket.get(ticket)
      await turn()
      if (call === undefined || call.status === 'running') return { kind: 'refused' }
      if (call.status === 'queued') call.status = 'cancelled'
      return { kind: 'deleted' }
    },
  }

  /** A failure may become a success that comes too late; all other ends stay. */
  function goOn(call: Call): Snapshot {
    if (call.status === 'failed' && random.next() < 0.2) call.status = 'succeeded'
    else if (call.status === 'queued' || call.status === 'running') {
      const next = random.pick(isCalm ? ENDS : NEXT)
      call.status = next === 'queued' ? call.status : next
    }
    if (call.status === 'failed') call.saidFailed = true
    return snapshotOf(call.status)
  }

  // Calls of one moment are answered in any order.
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve, random.integer(0, 2)))

  return {
    find: (name) => ({ name, driver, makes: () => true, expiresAfterSeconds: undefined }),
    callsOf: (word) => byWord.get(word) ?? [],
    calmDown() {
      isCalm = true
    },
  }
}

const OUTCOMES: readonly [Call['outcome'], ...Call['outcome'][]] = [
  ...(['accepted', 'accepted', 'accepted', 'accepted', 'accepted', 'accepted'] as const),
  ...(['refused', 'refused', 'order-refused', 'lost', 'lost'] as const),
]
const CALM_OUTCOMES = ['accepted', 'accepted', 'refused'] as const
const NEXT = ['queued', 'running', 'running', 'failed', 'failed', 'succeeded'] as const
const ENDS = ['failed', 'succeeded'] as const

const UNANSWERED: Reading = { kind: 'unanswered', cause: new Error('silence'), retryAfterMs: undefined }

/** Measures of a stand-in must not change the price. */
function snapshotOf(status: Snapshot['status']): Snapshot {
  return {
    status,
    content: status === 'succeeded' ? { video_url: 'https://video.example/1.mp4' } : undefined,
    error: status === 'failed' ? { code: 'generation_failed', message: 'It failed.' } : undefined,
    measured: { credits: 7_777, seconds: 60 },
  }
}
