import { isJsonObject } from '../domain/json-object.ts'
import type { ReplyTokens, StreamError } from './canonical/reply-event.ts'
import { spliceBytes } from './passthrough/splice-bytes.ts'
import { NOT_A_REPLY } from './passthrough/stream-listener.ts'
import { walkMembers } from './passthrough/walk-members.ts'
import { parseOrNone } from './values/values.ts'

interface Embeddings {
  kind: 'reply'
  body: Buffer
  /** The vendor's own count, if it counted. */
  tokens: ReplyTokens | undefined
  vendorUsage: unknown
  outputBytes: number
  losses: readonly never[]
}

/** A vendor's vectors under the name that the client asked for. They are megabytes of numbers, so nothing else is parsed. */
export function readEmbeddings(
  reply: Buffer,
  model: string,
): Embeddings | { kind: 'failed'; failure: StreamError } {
  const text = reply.toString('latin1')
  const opening = /^\s*\{/.exec(text)?.[0].length ?? 0
  const members = new Map<string, { start: number; end: number }>()
  if (opening > 0)
    walkMembers(text, opening - 1, (name, start, end) => {
      members.set(name, { start, end })
      return false
    })
  const data = members.get('data')
  if (data === undefined || text[data.start] !== '[') return { kind: 'failed', failure: NOT_A_REPLY }
  const named = members.get('model')
  const usage = members.get('usage')
  const vendorUsage = usage && parseOrNone(text.slice(usage.start, usage.end))
  return {
    kind: 'reply',
    body: named === undefined ? reply : spliceBytes(reply, [{ ...named, text: JSON.stringify(model) }]),
    tokens: tokensIn(vendorUsage),
    vendorUsage,
    outputBytes: 0,
    losses: [],
  }
}

function tokensIn(usage: unknown): ReplyTokens | undefined {
  const { prompt_tokens: prompt, total_tokens: total } = isJsonObject(usage) ? usage : {}
  const input = prompt ?? total
  if (typeof input !== 'number' || !Number.isSafeInteger(input) || input < 0) return undefined
  return { input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
}
