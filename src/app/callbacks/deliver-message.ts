import type { CallbackOutcome, DeliveryResult } from '../../domain/callbacks/callback-retry.ts'
import type {
  AttemptRecord,
  CallbackAttempt,
  CallbackMessage,
  Delivery,
  DueCallback,
  SendCallback,
} from '../../ports/callbacks.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { JobLease } from '../jobs/lease-runner.ts'
import type { Runtime } from '../runtime.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'

/** Number of connections to one host. Further messages would only wait, in slots that other hosts need. */
const HOST_SHARE_MAX = 16
const UNSENT_PAUSE_MS = 2_000
/** Less than the lease of a claim, after which another replica may have the message. */
const GIVE_BACK_MS = 30_000
/** Longer than the lease: a delivered message is not sent again, unless another replica claims it first. */
const RECORD_MS = 10 * 60_000

/** A message that is due: the callback of a task, or an event. */
export interface DueMessage extends Omit<DueCallback, 'taskId' | 'retryUntilMs'> {
  /** Set for a callback. */
  taskId?: string
}

/** Makes one attempt and stores its result. Returns the delay before the next attempt; undefined: there is none. */
export type Deliver<Due extends DueMessage> = (due: Due, lease: JobLease) => Promise<number | undefined>

export type DeliveryRecord = Omit<AttemptRecord<Omit<CallbackAttempt, 'taskId'>>, 'callbackId' | 'fence'>

export interface MessageTools extends Pick<Runtime, 'checkpoint' | 'clock' | 'log'> {
  send: SendCallback
  retries: WriteRetries
  metrics: Pick<Metrics, 'callbackAttempted'>
}

export function deliverMessage<Due extends DueMessage>(
  input: MessageTools & {
    outcomeOf(result: DeliveryResult, due: Due): CallbackOutcome
    write(due: Due, atMs: number): Promise<CallbackMessage | Delivery>
    record(due: Due, record: DeliveryRecord): Promise<void>
    giveBack(due: Due, nextAttemptAtMs: number): Promise<void>
  },
): Deliver<Due> {
  const { outcomeOf, write: writeMessage, record: storeAttempt, giveBack: storeUnsent, ...tools } = input
  const { send, retries, clock, log, metrics, checkpoint } = tools
  const hosts = createHostShares(HOST_SHARE_MAX)

  return async (due, lease) => {
    const atMs = clock.nowMs()
    const delivery = await attempt(due, atMs, lease)
    if (delivery.kind === 'not-sent') return giveBack(due)
    const { attemptsLeft } = due
    const { status, retryAfterMs } = delivery.kind === 'answered' ? delivery : UNANSWERED
    const mayBeRepeated = delivery.kind === 'failed' && delivery.mayBeRepeated
    const { outcome, delayMs } = outcomeOf({ status, mayBeRepeated, attemptsLeft, retryAfterMs }, due)
    const record = {
      attempt: attemptOf(due, delivery, atMs),
      outcome,
      nextAttemptAtMs: delayMs === null ? null : clock.nowMs() + delayMs,
    }
    await retries.retryUntilStored(() => storeAttempt(due, record), { ...ownerOf(due), forMs: RECORD_MS })
    checkpoint('callback.after-record')
    metrics.callbackAttempted(
      outcome === 'given-up' ? 'given_up' : delayMs === null ? 'delivered' : 'retried',
    )
    if (outcome === 'given-up') logGivenUp(due, delivery)
    return delayMs ?? undefined
  }

  async function attempt(due: Due, atMs: number, lease: JobLease): Promise<Delivery> {
    const message = await write(due, atMs)
    if ('kind' in message) return message
    // The store may have answered so late that another replica has the message by now.
    if (lease.signal.aborted || lease.isOver()) return NOT_SENT
    const leave = hosts.enter(message.url)
    if (leave === undefined) return NOT_SENT
    try {
      checkpoint('callback.before-send')
      const delivery = await send(message, lease.signal)
      checkpoint('callback.after-send')
      return delivery
    } finally {
      leave()
    }
  }

  /** An unreachable store is no fault of the receiver, so it uses up no attempt. */
  async function write(due: Due, atMs: number): Promise<CallbackMessage | Delivery> {
    try {
      return await writeMessage(due, atMs)
    } catch (error) {
      log.warn('callback.postponed', { ...ownerOf(due), error })
      return NOT_SENT
    }
  }

  async function giveBack(due: Due): Promise<number> {
    const nextAttemptAtMs = clock.nowMs() + UNSENT_PAUSE_MS
    const about = { ...ownerOf(due), forMs: GIVE_BACK_MS }
    await retries.retryUntilStored(() => storeUnsent(due, nextAttemptAtMs), about)
    return UNSENT_PAUSE_MS
  }

  function logGivenUp(due: Due, delivery: SentDelivery): void {
    const cause = delivery.kind === 'answered' ? { status: delivery.status } : { reason: delivery.word }
    log.warn('callback.given_up', { ...ownerOf(due), ...cause })
  }
}

export function ownerOf(
  input: Pick<DueMessage, 'organizationId' | 'taskId'>,
): Pick<DueMessage, 'organizationId' | 'taskId'> {
  const { organizationId, taskId } = input
  return taskId === undefined ? { organizationId } : { taskId, organizationId }
}

type SentDelivery = Exclude<Delivery, { kind: 'not-sent' }>

const UNANSWERED = { status: null, retryAfterMs: undefined }

const NOT_SENT: Delivery = { kind: 'not-sent' }

export const UNSENDABLE = {
  withoutAddress: { kind: 'failed', word: 'no-address', mayBeRepeated: false },
  withoutSecret: { kind: 'failed', word: 'no-secret', mayBeRepeated: false },
} satisfies Record<string, Delivery>

function attemptOf({ attempt }: DueMessage, delivery: SentDelivery, atMs: number): DeliveryRecord['attempt'] {
  return delivery.kind === 'answered'
    ? { attempt, atMs, status: delivery.status, error: null }
    : { attempt, atMs, status: null, error: delivery.word }
}

interface HostShares {
  /** Takes a slot for the host of this address; undefined when none is free. */
  enter(url: string): (() => void) | undefined
}

/** Bounds the slots of each host, because many customers may use the same slow receiver. */
export function createHostShares(shareMax: number): HostShares {
  const counts = new Map<string, number>()

  return {
    enter(url) {
      const host = URL.parse(url)?.hostname ?? ''
      const count = counts.get(host) ?? 0
      if (count >= shareMax) return undefined
      counts.set(host, count + 1)
      return () => leave(host)
    },
  }

  function leave(host: string): void {
    const left = (counts.get(host) ?? 0) - 1
    if (left > 0) counts.set(host, left)
    else counts.delete(host)
  }
}
