import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Part, Turn } from '../canonical/request.ts'
import { SUMMARY_MARK } from '../canonical/summary-mark.ts'
import { hasUnknownFields, isNil } from '../values/values.ts'
import { invalid, type Place } from './place.ts'

/**
 * What the vendor made of an earlier part of the conversation: a summary in plain words, which any model can read once
 * it is told what they are. undefined: nothing was summed up, and its own vendor passes over that too.
 */
export function readCompaction(block: JsonObject, losses: Set<LossName>, at: Place): Part | undefined {
  if (hasUnknownFields(block, KNOWN_FIELDS)) losses.add('unknown_field')
  if (!isNil(block.content) && typeof block.content !== 'string') {
    throw invalid(at, 'content', 'must be a string')
  }
  return isSummary(block) ? { kind: 'text', text: `${SUMMARY_MARK}\n${block.content}` } : undefined
}

/** The signature and the encrypted content prove the summary to its vendor, and say nothing more. */
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
 * A conversation that the assistant opens with summaries: the user tells them, and the assistant goes on from there.
 * Some vendors refuse a conversation that the assistant begins, and as instructions the words of a user or of a web
 * page would get a weight that they never had. It is also where agents that sum up by themselves put them.
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
