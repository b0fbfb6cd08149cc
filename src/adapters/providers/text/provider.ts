import type { Dialect } from '../../../domain/catalog/dialect.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { TextCall, TextProvider, TextReceiver, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { Head } from '../../outbound/receiver.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { FirstWord } from './first-word.ts'
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
const WRONG_KEY_STATUSES: readonly number[] = [401, 402, 403]
const CONNECT_ATTEMPTS_MAX = 2

export interface TextProviderParts {
  name: string
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
    findModel: (model) => models.get(model),
    send(call, receiver) {
      if (!attempt(call, receiver, new Set(), 1)) throw new Error('a provider has no key')
    },
  }

  /** False when there is no key left to try. */
  function attempt(call: TextCall, receiver: TextReceiver, tried: Set<RingKey>, connects: number): boolean {
    const key = ring.next(tried)
    if (key === undefined) return false
    tried.add(key)
    const firstWord = new FirstWord(receiver, {
      onHead: (head) => restAfter(head, key) && attempt(call, receiver, tried, connects),
      onFailure({ kind, taken }) {
        const wasNeverSent = kind === 'refused' && taken === 'no'
        if (!wasNeverSent || connects >= CONNECT_ATTEMPTS_MAX) return false
        tried.delete(key)
        return attempt(call, receiver, tried, connects + 1)
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

  /** True when the key was to blame. */
  function restAfter({ status, headers }: Head, key: RingKey): boolean {
    if (WRONG_KEY_STATUSES.includes(status)) {
      const reason = `${status} to key ${keys.indexOf(key) + 1} of ${keys.length}`
      log.warn('a provider refused a key', { provider: name, reason })
      ring.rest(key, WRONG_KEY_RESTS_MS)
      return true
    }
    if (status !== 429) return false
    const askedMs = Number(headers['retry-after']) * 1_000
    ring.rest(key, Math.min(askedMs >= 0 ? askedMs : BUSY_KEY_RESTS_MS, BUSY_KEY_RESTS_MS_MAX))
    return true
  }
}

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
