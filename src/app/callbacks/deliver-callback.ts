import { judgeCallback } from '../../domain/callbacks/callback-retry.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type {
  CallbackAttempt,
  CallbackMessage,
  CallbackStore,
  Delivery,
  DueCallback,
  SendCallback,
} from '../../ports/callbacks.ts'
import type { Checkpoint } from '../../ports/checkpoint.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { validWebhookSecrets } from '../access/webhook-secret.ts'
import type { Lease } from '../jobs/lease-runner.ts'
import { callbackUrlOf, viewOf } from '../video/encrypted.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'

/** As many as the way out lets through to one host: more would only wait there, in the places of others. */
const HOST_SHARE_MAX = 16
/** How long one that could not be sent waits. */
const UNSENT_PAUSE_MS = 2_000
/** Less than the lease of a claim: afterwards another replica may have it. */
const GIVE_BACK_MS = 30_000
/** Longer than the lease: a callback that was delivered is not sent again, unless another replica claims it first. */
const RECORD_MS = 10 * 60_000

/** Makes one attempt and stores what came of it. Returns how long to wait before the next one; undefined: it is over. */
export type DeliverCallback = (callback: DueCallback, lease: Lease) => Promise<number | undefined>

export interface DeliverTools {
  callbacks: Pick<CallbackStore, 'recordAttempt' | 'giveBack'>
  tasks: Pick<TaskStore, 'findWhole'>
  organizations: Pick<OrganizationStore, 'findWebhookSecrets'>
  /** The body of a callback: the same JSON text that a client gets for the task. */
  presentTask(task: TaskView): string
  send: SendCallback
  retries: WriteRetries
  secrets: Secrets
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'callbackAttempted'>
  checkpoint: Checkpoint
}

export function deliverCallback(tools: DeliverTools): DeliverCallback {
  const { callbacks, tasks, presentTask, send, retries, secrets, clock, log, metrics, checkpoint } = tools
  const secretsOf = validWebhookSecrets(tools)
  const hosts = createHostShares(HOST_SHARE_MAX)

  return async (callback, lease) => {
    const atMs = clock.nowMs()
    const delivery = await attempt(callback, atMs, lease)
    if (delivery.kind === 'not-sent') return giveBack(callback)
    const { attemptsLeft } = callback
    const status = delivery.kind === 'answered' ? delivery.status : null
    const mayBeRepeated = delivery.kind === 'failed' && delivery.mayBeRepeated
    const { outcome, delayMs } = judgeCallback({ status, mayBeRepeated, attemptsLeft })
    const record = {
      callbackId: callback.id,
      fence: callback.fence,
      attempt: attemptOf(callback, delivery, atMs),
      outcome,
      nextAttemptAtMs: delayMs === null ? null : clock.nowMs() + delayMs,
    }
    const { taskId, organizationId } = callback
    const about = { taskId, organizationId, forMs: RECORD_MS }
    await retries.retryUntilStored(() => callbacks.recordAttempt(record), about)
    checkpoint('callback.after-record')
    metrics.callbackAttempted(
      outcome === 'given-up' ? 'given_up' : delayMs === null ? 'delivered' : 'retried',
    )
    if (outcome === 'given-up') logGivenUp(callback, delivery)
    return delayMs ?? undefined
  }

  async function attempt(callback: DueCallback, atMs: number, lease: Lease): Promise<Delivery> {
    const message = await write(callback, atMs)
    if ('kind' in message) return message
    // The store may have answered so late that another replica has the callback by now.
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

  /** An unreachable store is no fault of the receiver: it uses up no attempt. */
  async function write(callback: DueCallback, atMs: number): Promise<CallbackMessage | Delivery> {
    try {
      return await writeMessage(callback, atMs)
    } catch (error) {
      const { taskId, organizationId } = callback
      log.warn('callback.postponed', { taskId, organizationId, error })
      return NOT_SENT
    }
  }

  async function writeMessage(
    { id, taskId, organizationId }: DueCallback,
    atMs: number,
  ): Promise<CallbackMessage | Delivery> {
    const [task, signers] = await Promise.all([tasks.findWhole(taskId), secretsOf(organizationId, atMs)])
    const url = task && callbackUrlOf(task, secrets)
    if (task === undefined || url === undefined) return UNSENDABLE.withoutAddress
    // The receiver could not tell an unsigned message from a forged one.
    if (signers.length === 0) return UNSENDABLE.withoutSecret
    const body = presentTask(viewOf(task, secrets))
    return { id, organizationId, url, body, atMs, secrets: signers }
  }

  async function giveBack({ id: callbackId, fence, taskId, organizationId }: DueCallback): Promise<number> {
    const unsent = { callbackId, fence, nextAttemptAtMs: clock.nowMs() + UNSENT_PAUSE_MS }
    const about = { taskId, organizationId, forMs: GIVE_BACK_MS }
    await retries.retryUntilStored(() => callbacks.giveBack(unsent), about)
    return UNSENT_PAUSE_MS
  }

  function logGivenUp({ taskId, organizationId }: DueCallback, delivery: Attempted): void {
    const cause = delivery.kind === 'answered' ? { status: delivery.status } : { reason: delivery.word }
    log.warn('callback.given_up', { taskId, organizationId, ...cause })
  }
}

type Attempted = Exclude<Delivery, { kind: 'not-sent' }>

const NOT_SENT: Delivery = { kind: 'not-sent' }

const UNSENDABLE = {
  withoutAddress: { kind: 'failed', word: 'no-address', mayBeRepeated: false },
  withoutSecret: { kind: 'failed', word: 'no-secret', mayBeRepeated: false },
} satisfies Record<string, Delivery>

function attemptOf({ taskId, attempt }: DueCallback, delivery: Attempted, atMs: number): CallbackAttempt {
  return delivery.kind === 'answered'
    ? { taskId, attempt, atMs, status: delivery.status, error: null }
    : { taskId, attempt, atMs, status: null, error: delivery.word }
}

/** How many callbacks are on their way to each host. */
interface HostShares {
  /** A place for one to this address; undefined when its host has its share already. */
  enter(url: string): Leave | undefined
}

type Leave = () => void

/** Customers may share a receiver. One that hangs holds this many of the places, and no more. */
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
