import type { Dialect } from '../../../domain/catalog/dialect.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type {
  TextCall,
  TextFlow,
  TextHead,
  TextProvider,
  TextReceiver,
  TextUpstreamModel,
} from '../../../ports/text-provider.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { FirstWord } from './first-word.ts'
import { hiddenWords } from './hidden-words.ts'
import { createKeyRing, type RingKey } from './key-ring.ts'

const PATHS: Record<Dialect, string> = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
}

/** The version of the messages dialect that every vendor of it knows. */
const KNOWN_VERSION = '2023-06-01'

/** A key that is wrong stays wrong until an operator acts; one that is out of turn is soon back. */
const WRONG_KEY_RESTS_MS = 60_000
const BUSY_KEY_RESTS_MS = 5_000
const BUSY_KEY_RESTS_MS_MAX = 60_000
const WRONG_KEY_STATUSES: readonly number[] = [401, 402]
const CONNECT_ATTEMPTS_MAX = 2

export interface TextProviderParts {
  name: string
  baseUrl: string
  models: ReadonlyMap<string, TextUpstreamModel>
  /** At least one. */
  keys: readonly RingKey[]
  /** What this provider calls the version header of the messages dialect. */
  versionHeader: string
  upstream: Upstream
  clock: Clock
  log: Log
}

/** A vendor that speaks one of the text dialects, reached with whichever of its keys is well. */
export function textProvider(parts: TextProviderParts): TextProvider {
  const { name, models, keys, upstream, log } = parts
  const ring = createKeyRing(keys, parts.clock)

  return {
    name,
    hides: hiddenWords(parts.baseUrl, keys),
    findModel: (model) => models.get(model),
    send(call, receiver) {
      const asked = attempt({ call, receiver, tried: new Set(), connects: 1, refusal: undefined })
      if (!asked) throw new Error('a provider has no key')
    },
  }

  /** False when there is no key left to try. */
  function attempt(asking: Asking): boolean {
    const { call, receiver, tried, connects, refusal } = asking
    const key = ring.next(tried)
    if (key === undefined) return false
    tried.add(key)
    const firstWord = new FirstWord(receiver, {
      onHead: (head) => isForAnother(head, key) && attempt({ ...asking, refusal: head }),
      onFailure({ kind, taken }) {
        const wasNeverSent = kind === 'refused' && taken === 'no'
        if (wasNeverSent && connects < CONNECT_ATTEMPTS_MAX) {
          tried.delete(key)
          return attempt({ ...asking, connects: connects + 1 })
        }
        if (taken !== 'no' || refusal === undefined) return false
        repeat(refusal, receiver)
        return true
      },
    })
    upstream.dispatch(
      {
        operation: `${call.dialect} ${call.operation}`,
        method: 'POST',
        path: call.operation === 'create' ? PATHS[call.dialect] : '/v1/messages/count_tokens',
        headers: headersOf(call, key, parts.versionHeader),
        body: call.body,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      firstWord,
    )
    return true
  }

  /** True when another key may fare better. */
  function isForAnother({ status, retryAfterMs = BUSY_KEY_RESTS_MS }: TextHead, key: RingKey): boolean {
    if (status === 429) {
      ring.rest(key, Math.min(retryAfterMs, BUSY_KEY_RESTS_MS_MAX))
      return true
    }
    if (WRONG_KEY_STATUSES.includes(status)) {
      const reason = `${status} to key ${keys.indexOf(key) + 1} of ${keys.length}`
      if (ring.rest(key, WRONG_KEY_RESTS_MS)) log.warn('a provider refused a key', { provider: name, reason })
      return true
    }
    // Often about this model or this prompt: the key is good for others.
    return status === 403
  }
}

/** One call on its way through the keys. */
interface Asking {
  call: TextCall
  receiver: TextReceiver
  tried: Set<RingKey>
  connects: number
  /** What the key before was answered: it stands when no other key's call is sent. */
  refusal: TextHead | undefined
}

/** Its words are read and gone; how it begins says enough. */
function repeat(refusal: TextHead, receiver: TextReceiver): void {
  receiver.onHead(refusal, OVER)
  receiver.onEnd()
}

const OVER: TextFlow = { pause() {}, resume() {}, stop() {} }

function headersOf({ dialect, version, betas }: TextCall, key: RingKey, versionHeader: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (dialect === 'messages') {
    headers['x-api-key'] = key.key.reveal()
    headers[versionHeader] = version ?? KNOWN_VERSION
    if (betas !== undefined) headers['anthropic-beta'] = betas
  } else {
    headers.authorization = `Bearer ${key.key.reveal()}`
    if (betas !== undefined) headers['openai-beta'] = betas
  }
  return headers
}
