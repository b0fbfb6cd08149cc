import { SUMMARY_MARK } from '../../canonical/summary-mark.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { objectsIn, textOf } from '../../values/values.ts'
import { kindOfItem } from '../wire.ts'

/** Maximum length of retained JSON, about 16,000 tokens: the summary covers the rest. */
const RETAINED_LENGTH_MAX = 64 * 1024

/**
 * Messages of the user that stay unchanged when a conversation is compacted: the latest ones that fit, in order. The
 * summary of an earlier compaction is left out: the new summary includes it.
 */
export function retainedMessages({ input }: JsonObject): JsonObject[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input)
  const kept: JsonObject[] = []
  let left = RETAINED_LENGTH_MAX
  for (const item of items.toReversed()) {
    if (kindOfItem(item) !== 'message' || item.role !== 'user') continue
    const content = partsOf(item.content)
    const { length } = JSON.stringify(content)
    if (content.length === 0 || length > left || isSummary(content)) continue
    left -= length
    kept.push({ type: 'message', role: 'user', status: 'completed', content })
  }
  return kept.toReversed()
}

function partsOf(content: unknown): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : objectsIn(content)
}

function isSummary([first]: readonly JsonObject[]): boolean {
  return textOf(first?.text).startsWith(SUMMARY_MARK)
}
