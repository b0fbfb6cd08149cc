import { type Answer, type Block, textOf } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope, StreamWriter } from '../dialect.ts'
import { stopOf, usageObject } from './usage.ts'

export function streamMessage({ blocks, end, usage }: Answer, envelope: Envelope): StreamWriter {
  const { asked, newId, showsUsage } = envelope
  return {
    *frames() {
      const message = {
        id: newId('msg'),
        type: 'message',
        role: 'assistant',
        model: asked.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...(showsUsage && { usage: { ...usageObject(usage, 1), service_tier: 'standard' } }),
      }
      yield frame('message_start', { type: 'message_start', message })
      yield 'event: ping\ndata: {"type":"ping"}\n\n'
      for (const [index, block] of blocks.entries()) yield* blockFrames(block, index, envelope)
      yield frame('message_delta', {
        type: 'message_delta',
        delta: stopOf(end),
        ...(showsUsage && { usage: usageObject(usage) }),
      })
    },
    terminal: () => ['event: message_stop\ndata: {"type":"message_stop"}\n\n'],
    failed: (message) => [frame('error', { type: 'error', error: { type: 'api_error', message } })],
  }
}

function* blockFrames(block: Block, index: number, { asked, newId }: Envelope): Generator<string> {
  yield frame('content_block_start', {
    type: 'content_block_start',
    index,
    content_block: headOf(block, newId),
  })
  const kind = DELTAS[block.kind]
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${kind.type}","${kind.field}":`
  if (block.kind === 'call') yield `${head}""}}\n\n`
  if (block.kind !== 'reasoning' || !asked.hidesReasoning) {
    for (const piece of block.pieces) yield `${head}${JSON.stringify(piece)}}}\n\n`
  }
  if (block.kind === 'reasoning') {
    const delta = { type: 'signature_delta', signature: sealOf('messages', textOf(block)) }
    yield frame('content_block_delta', { type: 'content_block_delta', index, delta })
  }
  yield frame('content_block_stop', { type: 'content_block_stop', index })
}

function headOf(block: Block, newId: Envelope['newId']): object {
  if (block.kind === 'reasoning') return { type: 'thinking', thinking: '', signature: '' }
  if (block.kind === 'call') return { type: 'tool_use', id: newId('toolu'), name: block.name, input: {} }
  return { type: 'text', text: '' }
}

const DELTAS = {
  text: { type: 'text_delta', field: 'text' },
  refusal: { type: 'text_delta', field: 'text' },
  reasoning: { type: 'thinking_delta', field: 'thinking' },
  call: { type: 'input_json_delta', field: 'partial_json' },
} as const satisfies Record<Block['kind'], { type: string; field: string }>

function frame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
