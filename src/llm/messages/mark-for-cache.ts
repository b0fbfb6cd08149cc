import type { WireBlock } from './wire-block.ts'
import type { WireMessage } from './write-turns.ts'

const MARK = { type: 'ephemeral' } as const

export type CacheableTool = object & { cache_control?: object }

/**
 * Vendors of this wire cache a prompt only up to marks, of which a request may have four; clients of other dialects are
 * used to vendors that cache by themselves. Marked is what stays the same from one request to the next: the tools, the
 * system prompt, and the conversation so far where another request is likely to go on with it. Writing to the cache costs
 * more than reading the prompt, so a lone question is not marked.
 */
export function markForCache({
  tools,
  system,
  messages,
}: {
  tools: CacheableTool[] | undefined
  system: WireBlock[]
  messages: WireMessage[]
}): void {
  const lastTool = tools?.at(-1)
  if (lastTool !== undefined) lastTool.cache_control = MARK
  markLast(system)
  if (lastTool === undefined && messages.length < 2) return
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const said = messages[at]
  if (said === undefined) return
  // A copy: a message may be one that every request shares.
  const content = [...said.content]
  markLast(content)
  messages[at] = { ...said, content }
}

function markLast(blocks: WireBlock[]): void {
  const at = blocks.length - 1
  const block = blocks[at]
  // A block that another dialect's client sent as it is stays so.
  if (block !== undefined && MARKABLE.has(block.type) && !('cache_control' in block))
    blocks[at] = { ...block, cache_control: MARK }
}

const MARKABLE: ReadonlySet<string> = new Set(['text', 'image', 'document', 'tool_result'])
