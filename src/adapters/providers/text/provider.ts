import type { ChatVariant } from '@sluice/dialects/canonical/chat-variant'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type {
  ProviderOperation,
  TextCall,
  TextFlow,
  TextHead,
  TextProvider,
  TextReceiver,
  TextSent,
  TextUpstreamModel,
} from '../../../ports/text-provider.ts'
import { NetworkError } from '../../outbound/network-error.ts'
import type { Flow, Head, Receiver, Sent } from '../../outbound/receiver.ts'
import { readRetryAfterMs } from '../../outbound/retry-after.ts'
import type { Upstream, UpstreamCall } from '../../outbound/upstream.ts'
import { cacheHeaders, type HeadersFor, type OwnPaths, pathOf } from './headers.ts'
import { createKeyRing, type KeyRing, type RingKey } from './key-ring.ts'

export interface TextProviderParts {
  name: string
  baseUrl: string
  models: ReadonlyMap<string, TextUpstreamModel>
  keys: readonly RingKey[]
  versionHeader: string
  /** Differences and path of the provider's chat dialect. */
  chat?: (ChatVariant & { path: string }) | undefined
  /** Organization that owns the account. */
  organizationId?: string | undefined
  upstream: Upstream
  clock: Clock
  log: Log
  metrics?: Pick<Metrics, 'watchKeys'>
}

/** Provider of text models. Its calls use a resting key only when all keys rest. */
export function textProvider(parts: TextProviderParts): TextProvider {
  const { name, models, keys, clock } = parts
  const ring = createKeyRing(keys, clock)
  const shared: FailoverParts = {
    ...parts,
    ownPaths: { chat: parts.chat?.path },
    headersFor: cacheHeaders(parts.versionHeader),
    ring,
  }
  parts.metrics?.watchKeys(name, ring.countResting)
  return {
    name,
    hides: hiddenTexts(parts.baseUrl, keys),
    organizationId: parts.organizationId,
    chat: parts.chat,
    findModel: (model) => models.get(model),
    isReady({ dialect, upstream: model }, operation, holder) {
      if (!ring.isAwake()) return false
      const { upstream } = parts
      return (
        upstream.areBreakersClosed ||
        !upstream.isOpen({ target: breakerTargetOf(dialect, operation, model), holder })
      )
    },
    send(call, receiver) {
      const failover = new FailoverCall(shared, call, receiver)
      if (!failover.attempt()) throw new Error('a provider has no key')
      return failover
    },
  }
}

/** Returns addresses and keys that a vendor may repeat in errors, and that no client may read. */
export function hiddenTexts(baseUrl: string, keys: readonly RingKey[]): string[] {
  const { origin, host, hostname } = new URL(baseUrl)
  return [...new Set([baseUrl, origin, host, hostname, ...keys.map(({ key }) => key.reveal())])]
}

/** Parts that all calls of a provider share. */
interface FailoverParts extends Pick<TextProviderParts, 'name' | 'keys' | 'upstream' | 'log'> {
  ring: KeyRing
  headersFor: HeadersFor
  ownPaths: OwnPaths
}

/** Times for which refused keys rest: an invalid key needs an operator, and a limited key can soon be used again. */
const WRONG_KEY_REST_MS = 60_000
const BUSY_KEY_REST_MS = 5_000
const BUSY_KEY_REST_MS_MAX = 60_000
const WRONG_KEY_STATUSES: readonly number[] = [401, 402]
const CONNECT_ATTEMPTS_MAX = 2

/** A call that is sent with one key after another until the vendor accepts a key. */
class FailoverCall implements RetryPolicy, TextSent {
  readonly #parts: FailoverParts
  readonly #call: TextCall
  readonly #receiver: TextReceiver
  readonly #tried = new Set<RingKey>()
  #connects = 1
  /** All attempts, also refused ones, because the rest of their responses is still read. */
  readonly #sent: Sent[] = []
  #isStopped = false
  /** Head of the last refusal, for the client if the call with the next key cannot be sent. */
  #refusedHead: TextHead | undefined

  constructor(parts: FailoverParts, call: TextCall, receiver: TextReceiver) {
    this.#parts = parts
    this.#call = call
    this.#receiver = receiver
  }

  /** Sends the call with the next key. Returns false when no key is left. Sends nothing after `stop`. */
  attempt(): boolean {
    if (this.#isStopped) {
      this.#receiver.onFailure(new NetworkError('aborted', { taken: 'no' }))
      return true
    }
    const { ring, upstream } = this.#parts
    const key = ring.next(this.#tried)
    if (key === undefined) return false
    this.#tried.add(key)
    const call = upstreamCallOf(this.#call, key, this.#parts)
    this.#sent.push(upstream.dispatch(call, new RetryableReceiver(this.#receiver, this, key)))
    return true
  }

  stop(kind: 'aborted'): void {
    this.#isStopped = true
    for (const sent of this.#sent) sent.stop(kind)
  }

  detach(): boolean {
    return this.#sent.at(-1)?.detach?.() === true
  }

  get isQueued(): boolean {
    return this.#sent.at(-1)?.isQueued === true
  }

  retriesAfterHead(head: TextHead, key: RingKey): boolean {
    if (!this.#isForAnother(head, key)) return false
    const before = this.#refusedHead
    this.#refusedHead = head
    if (this.attempt()) return true
    this.#refusedHead = before
    return false
  }

  retriesAfterFailure({ kind, taken }: NetworkError, key: RingKey): boolean {
    const wasNeverSent = kind === 'refused' && taken === 'no'
    if (wasNeverSent && this.#connects < CONNECT_ATTEMPTS_MAX) {
      this.#connects += 1
      this.#tried.delete(key)
      return this.attempt()
    }
    if (taken !== 'no' || this.#refusedHead === undefined) return false
    repeat(this.#refusedHead, this.#receiver)
    return true
  }

  /** Tells whether the vendor may accept another key. */
  #isForAnother({ status, retryAfterMs = BUSY_KEY_REST_MS }: TextHead, key: RingKey): boolean {
    const { name, keys, ring, log } = this.#parts
    if (status === 429) {
      ring.rest(key, Math.min(retryAfterMs, BUSY_KEY_REST_MS_MAX))
      return true
    }
    if (WRONG_KEY_STATUSES.includes(status)) {
      const reason = `${status} to key ${keys.indexOf(key) + 1} of ${keys.length}`
      if (ring.rest(key, WRONG_KEY_REST_MS)) log.warn('provider.key_refused', { provider: name, reason })
      return true
    }
    // A 403 is about the request or the account, so one request must not make every key rest.
    return false
  }
}

/** Repeats the head of an error, without its body, which was read already. */
function repeat(head: TextHead, receiver: TextReceiver): void {
  receiver.onHead(head, ENDED_FLOW)
  receiver.onEnd()
}

const ENDED_FLOW: TextFlow = { pause() {}, resume() {}, stop() {} }

/** Returns the target of a breaker. Failures of one model stop only calls of that model. */
function breakerTargetOf(dialect: Dialect, operation: ProviderOperation, model: string): string {
  return `${dialect} ${operation} ${model}`
}

function upstreamCallOf(
  call: TextCall,
  { key }: RingKey,
  { headersFor, ownPaths }: FailoverParts,
): UpstreamCall {
  const { dialect, organizationId: holder, model, body, version, betas } = call
  const operation = `${dialect} ${call.operation}`
  const path = pathOf(dialect, call.operation, ownPaths)
  const headers = headersFor(dialect, key, { version, betas })
  const target = breakerTargetOf(dialect, call.operation, model)
  return { operation, holder, target, model, method: 'POST', path, headers, body }
}

/** A method returns true when it repeated or answered the call. The receiver then gets nothing of this response. */
interface RetryPolicy {
  retriesAfterHead(head: TextHead, key: RingKey): boolean
  retriesAfterFailure(failure: NetworkError, key: RingKey): boolean
}

/** Size up to which a discarded response is read to its end, so that its connection can be reused. */
const UNWANTED_BYTES_MAX = 64 * 1024

/**
 * Shows the head of a response, or its failure, to the policy before the receiver gets it.
 *   waiting -> passed (the receiver gets everything) | retried (it gets nothing)
 */
class RetryableReceiver implements Receiver {
  readonly #receiver: TextReceiver
  readonly #policy: RetryPolicy
  readonly #key: RingKey
  #state: 'waiting' | 'passed' | 'retried' = 'waiting'
  #flow: Flow | undefined
  #unwantedBytes = 0

  constructor(receiver: TextReceiver, policy: RetryPolicy, key: RingKey) {
    this.#receiver = receiver
    this.#policy = policy
    this.#key = key
  }

  onHead(answered: Head, flow: Flow): void {
    this.#flow = flow
    const { status } = answered
    const head = { status, retryAfterMs: status < 400 ? undefined : readRetryAfterMs(answered.headers) }
    this.#state = this.#policy.retriesAfterHead(head, this.#key) ? 'retried' : 'passed'
    if (this.#state === 'passed') this.#receiver.onHead(head, flow)
  }

  onChunk(chunk: Buffer): void {
    if (this.#state === 'passed') {
      this.#receiver.onChunk(chunk)
      return
    }
    this.#unwantedBytes += chunk.length
    if (this.#unwantedBytes > UNWANTED_BYTES_MAX) this.#flow?.stop('too-large')
  }

  onEnd(): void {
    if (this.#state === 'passed') this.#receiver.onEnd()
  }

  onFailure(failure: NetworkError): void {
    if (this.#state === 'retried') return
    if (this.#state === 'waiting' && this.#policy.retriesAfterFailure(failure, this.#key)) return
    this.#receiver.onFailure(failure)
  }
}
