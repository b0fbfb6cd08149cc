import { type CallBlock, type ModelReply, type ReplyBlock, textOf } from '../answer.ts'
import type { Envelope, FrameWriter } from '../dialect.ts'
import { contentPart, emptyItem, type ItemIds, newItemIds, summaryPart, wholeItem } from './items.ts'
import { type ResponseState, responseObject, statusOf } from './response-object.ts'
import type { ReplyItems } from './stored-items.ts'

export function streamResponse(answer: ModelReply, envelope: Envelope, stored: ReplyItems): FrameWriter {
  const id = envelope.newId('resp')
  const output: object[] = []
  let sequence = 0
  const event = (type: string, fields: object) => {
    sequence += 1
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence - 1, ...fields })}\n\n`
  }
  const whole = (state: Pick<ResponseState, 'status' | 'output' | 'error'>) => ({
    response: responseObject(answer, envelope, { id, ...state }),
  })
  /** Most events are deltas, so they are built from strings: `head` holds the item's position. */
  const delta = (type: string, head: string, piece: string) => {
    sequence += 1
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence - 1},${head},"delta":${JSON.stringify(piece)}}\n\n`
  }

  function* itemFrames(block: ReplyBlock, index: number): Generator<string> {
    const ids = newItemIds(block, envelope.newId)
    yield event('response.output_item.added', { output_index: index, item: emptyItem(block, ids) })
    if (block.kind === 'reasoning') yield* reasoningFrames(block, ids, index)
    else if (block.kind === 'call') {
      for (const piece of block.pieces) yield callDelta(block, ids, index, piece)
      yield callDone(block, ids, index)
    } else yield* messageFrames(block, ids, index)
    yield itemDone(block, ids, index)
  }

  function itemDone(block: ReplyBlock, ids: ItemIds, index: number): string {
    const item = wholeItem(block, ids, { ...envelope, stored })
    output[index] = item
    return event('response.output_item.done', { output_index: index, item })
  }

  function* messageFrames(block: ReplyBlock, { id: item_id }: ItemIds, index: number): Generator<string> {
    const place = { item_id, output_index: index, content_index: 0 }
    const name = block.kind === 'refusal' ? 'response.refusal' : 'response.output_text'
    const head = `"item_id":"${item_id}","output_index":${index},"content_index":0${block.kind === 'text' ? ',"logprobs":[]' : ''}`
    yield event('response.content_part.added', { ...place, part: contentPart(block, '') })
    for (const piece of block.pieces) yield delta(`${name}.delta`, head, piece)
    const text = textOf(block)
    const said = block.kind === 'refusal' ? { refusal: text } : { text, logprobs: [] }
    yield event(`${name}.done`, { ...place, ...said })
    yield event('response.content_part.done', { ...place, part: contentPart(block, text) })
  }

  function* reasoningFrames(block: ReplyBlock, { id: item_id }: ItemIds, index: number): Generator<string> {
    const place = { item_id, output_index: index, summary_index: 0 }
    const head = `"item_id":"${item_id}","output_index":${index},"summary_index":0`
    yield event('response.reasoning_summary_part.added', { ...place, part: summaryPart('') })
    for (const piece of block.pieces) yield delta('response.reasoning_summary_text.delta', head, piece)
    const text = textOf(block)
    yield event('response.reasoning_summary_text.done', { ...place, text })
    yield event('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) })
  }

  function callDelta(block: CallBlock, { id: item_id }: ItemIds, index: number, piece: string): string {
    return delta(`${CALL_EVENTS[block.input]}.delta`, `"item_id":"${item_id}","output_index":${index}`, piece)
  }

  function callDone(block: CallBlock, { id: item_id }: ItemIds, index: number): string {
    const text = textOf(block)
    const said = block.input === 'json' ? { arguments: text, name: block.name } : { input: text }
    return event(`${CALL_EVENTS[block.input]}.done`, { item_id, output_index: index, ...said })
  }

  /** All calls begin, then each gets a piece in turn, then all end. */
  function* interleavedCalls(calls: readonly CallBlock[], first: number): Generator<string> {
    const open = calls.map((block, at) => ({
      block,
      ids: newItemIds(block, envelope.newId),
      index: first + at,
    }))
    for (const { block, ids, index } of open) {
      yield event('response.output_item.added', { output_index: index, item: emptyItem(block, ids) })
    }
    const longest = calls.reduce((most, { pieces }) => Math.max(most, pieces.length), 0)
    for (let at = 0; at < longest; at += 1) {
      for (const { block, ids, index } of open) {
        const piece = block.pieces[at]
        if (piece !== undefined) yield callDelta(block, ids, index, piece)
      }
    }
    for (const { block, ids, index } of open) {
      yield callDone(block, ids, index)
      yield itemDone(block, ids, index)
    }
  }

  return {
    *frames() {
      yield event('response.created', whole({ status: 'in_progress', output: [] }))
      yield event('response.in_progress', whole({ status: 'in_progress', output: [] }))
      const calls = answer.blocks.filter((block) => block.kind === 'call')
      const together = envelope.interleaves && calls.length > 1 ? calls : []
      const others =
        together.length === 0 ? answer.blocks : answer.blocks.filter(({ kind }) => kind !== 'call')
      for (const [index, block] of others.entries()) yield* itemFrames(block, index)
      if (together.length > 0) yield* interleavedCalls(together, others.length)
    },
    terminal: () => {
      const status = statusOf(answer)
      return [event(`response.${status}`, whole({ status, output }))]
    },
    failed: (message) => [
      event('error', { code: 'server_error', message, param: null }),
      event(
        'response.failed',
        whole({ status: 'failed', output: output.filter(Boolean), error: { code: 'server_error', message } }),
      ),
    ],
  }
}

const CALL_EVENTS = {
  json: 'response.function_call_arguments',
  text: 'response.custom_tool_call_input',
} as const
