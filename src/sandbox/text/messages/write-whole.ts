import { type Answer, type Block, textOf } from '../answer.ts'
import type { Envelope } from '../dialect.ts'
import { sealOf } from '../mind/seal.ts'
import { stopOf, usageObject } from './usage.ts'

export function writeMessage({ blocks, end, usage }: Answer, envelope: Envelope): object {
  return {
    id: envelope.newId('msg'),
    type: 'message',
    role: 'assistant',
    model: envelope.asked.model,
    content: blocks.map((block) => writeBlock(block, envelope)),
    ...stopOf(end),
    ...(envelope.showsUsage && { usage: { ...usageObject(usage), service_tier: 'standard' } }),
  }
}

function writeBlock(block: Block, { asked, newId }: Envelope): object {
  const text = textOf(block)
  switch (block.kind) {
    case 'reasoning':
      return {
        type: 'thinking',
        thinking: asked.hidesReasoning ? '' : text,
        signature: sealOf('messages', text),
      }
    case 'call':
      return { type: 'tool_use', id: newId('toolu'), name: block.name, input: parseInput(text) }
    default:
      return { type: 'text', text }
  }
}

/** A scripted input may be no JSON at all; a whole reply can only carry an object. */
function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
