import type { LossName } from '../canonical/losses.ts'
import { hasContent, type Part, type Turn } from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { isNil, isNonEmptyArray } from '../values/values.ts'
import { type BodyPath, invalid } from './body-path.ts'
import { openWithSummaries } from './read-compaction.ts'
import { readPart } from './read-part.ts'

/** Reads the turns in order, also system turns in the middle; the system prompt comes first. */
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

/**
 * Line that Claude Code writes about billing for its own vendor. Other models have no use for it, and some vendors
 * refuse it.
 */
const BILLING_LINE = /^x-anthropic-billing-header:.*(?:\r?\n|$)/

function withoutBillingLine(part: Part): Part[] {
  if (part.kind !== 'text' || !BILLING_LINE.test(part.text)) return [part]
  const text = part.text.replace(BILLING_LINE, '')
  return text.trim() === '' ? [] : [{ ...part, text }]
}

const EMPTY = 'must not be empty, and must have a text, a file, a call or a tool result that this model takes'

/**
 * Whether a turn has content, or may lack it. A turn of the assistant may lack it as the last turn, or when the model
 * reads none of its blocks: reasoning, hosted tools, a failed summary. Any other empty turn would be lost silently.
 */
function mayStand({ role, content }: JsonObject, parts: readonly Part[], isLast: boolean): boolean {
  if (role !== 'assistant') return parts.some(hasContent)
  return parts.length > 0 || isLast || isNonEmptyArray(content)
}

function roleOf(role: unknown): Turn['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

function readContent(content: unknown, at: BodyPath, losses: Set<LossName>): Part[] {
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
 * Refuses a thread, which its vendor keeps: the client sends only the newest turn, and no other vendor knows the rest.
 * The official client reads `details`, and then sends the whole conversation.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (isNil(thread) || thread === false) return
  throw new RequestError('invalid_parameter', {
    param: 'thread',
    message:
      'thread is not supported for this model: send the whole conversation in messages, without thread.',
    details: { error_code: 'thread_unsupported_request', unsupported: ['model'] },
  })
}
