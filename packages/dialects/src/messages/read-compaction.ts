import type { LossName } from '../canonical/losses.ts'
import type { Part, Turn } from '../canonical/request.ts'
import { SUMMARY_MARK } from '../canonical/summary-mark.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, isNil } from '../values/values.ts'
import { type BodyPath, invalid } from './body-path.ts'

/**
 * Reads the vendor's summary of an earlier part of the conversation: plain text, which any model can read after a line
 * that introduces it. undefined: the block has no summary, and its own vendor ignores it too.
 */
export function readCompaction(block: JsonObject, losses: Set<LossName>, at: BodyPath): Part | undefined {
  if (hasUnknownFields(block, KNOWN_FIELDS)) losses.add('unknown_field')
  if (!isNil(block.content) && typeof block.content !== 'string') {
    throw invalid(at, 'content', 'must be a string')
  }
  return isSummary(block) ? { kind: 'text', text: `${SUMMARY_MARK}\n${block.content}` } : undefined
}

/** The signature and the encrypted content only prove the summary to its vendor. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'content',
  'signature',
  'encrypted_content',
  'cache_control',
])

function isSummary({ type, content }: JsonObject): boolean {
  return type === 'compaction' && typeof content === 'string' && content !== ''
}

/**
 * Splits a first turn of the assistant that begins with summaries: they become a turn of the user, and the assistant
 * continues from there. Some vendors refuse a conversation that the assistant begins, and a turn of the system would
 * give the text of users and web pages too much weight. Agents that summarize by themselves also write a user's turn.
 */
export function openWithSummaries(content: unknown, parts: readonly Part[]): Turn[] {
  const count = countSummariesFirst(content)
  const turns: Turn[] = []
  if (count > 0) turns.push({ role: 'user', parts: parts.slice(0, count) })
  if (count < parts.length || count === 0) turns.push({ role: 'assistant', parts: parts.slice(count) })
  return turns
}

function countSummariesFirst(content: unknown): number {
  if (!Array.isArray(content)) return 0
  const end = content.findIndex((block) => !isJsonObject(block) || block.type !== 'compaction')
  return content.slice(0, end === -1 ? content.length : end).filter(isSummary).length
}
