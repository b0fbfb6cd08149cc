import { ApiError } from '../../domain/api-error.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Part, Turn } from '../canonical/request.ts'
import { hasContent, isNil, isNonEmptyArray } from '../values/values.ts'
import { invalid, type Place } from './place.ts'
import { openWithSummaries } from './read-compaction.ts'
import { readPart } from './read-part.ts'

/** The system prompt comes first; turns keep their order, also system turns in the middle. */
export function readTurns({ system, messages }: JsonObject, losses: Set<LossName>): Turn[] {
  const turns: Turn[] = []
  const prompt = readContent(system, { up: undefined, key: 'system' }, losses).flatMap(withoutBillingLine)
  if (prompt.length > 0) turns.push({ role: 'system', parts: prompt })
  if (!Array.isArray(messages)) return turns
  const up = { up: undefined, key: 'messages' }
  let hasBegun = false
  for (let place = 0; place < messages.length; place += 1) {
    const message: unknown = messages[place]
    if (!isJsonObject(message)) continue
    const at = { up, key: place }
    const role = roleOf(message.role)
    const parts = readContent(message.content, { up: at, key: 'content' }, losses)
    if (!mayStand(message, parts, place === messages.length - 1)) throw invalid(at, 'content', EMPTY)
    const opens = role === 'assistant' && !hasBegun
    const read = opens ? openWithSummaries(message.content, parts) : [{ role, parts }]
    for (const turn of read) turns.push(turn)
    hasBegun ||= role !== 'system' && parts.length > 0
  }
  return turns
}

/** Claude Code tells its own vendor there how it is billed. To any other model it is noise, and some vendors refuse it. */
const BILLING_LINE = /^x-anthropic-billing-header:.*(?:\r?\n|$)/

function withoutBillingLine(part: Part): Part[] {
  if (part.kind !== 'text' || !BILLING_LINE.test(part.text)) return [part]
  const text = part.text.replace(BILLING_LINE, '')
  return text.trim() === '' ? [] : [{ ...part, text }]
}

const EMPTY = 'must not be empty, and must have something that this model can be given'

/**
 * An assistant may have left nothing but thoughts, the work of its vendor's own tools or a summary that failed, and the
 * last turn of it may be empty: that asks for an answer. Any other empty turn would be lost without a notice.
 */
function mayStand({ role, content }: JsonObject, parts: readonly Part[], isLast: boolean): boolean {
  if (role !== 'assistant') return parts.some(hasContent)
  return parts.length > 0 || isLast || isNonEmptyArray(content)
}

function roleOf(role: unknown): Turn['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

function readContent(content: unknown, at: Place, losses: Set<LossName>): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts: Part[] = []
  for (let place = 0; place < content.length; place += 1) {
    const block: unknown = content[place]
    const part = isJsonObject(block) ? readPart(block, { up: at, key: place }, losses) : undefined
    if (part !== undefined) parts.push(part)
  }
  return parts
}

/**
 * A thread is the conversation as its vendor keeps it; of one that goes on, the client sends the newest turn alone.
 * No other vendor can answer that. The official client understands `details`, and sends the whole conversation instead.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (isNil(thread) || thread === false) return
  throw new ApiError('invalid_parameter', {
    param: 'thread',
    message:
      'thread is not supported for this model: send the whole conversation in messages, without thread.',
    details: { error_code: 'thread_unsupported_request', unsupported: ['model'] },
  })
}
