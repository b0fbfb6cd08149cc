import { isJsonObject } from '../../domain/json-object.ts'
import type { WriteReply } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { BlockHead, ReplyEvent } from '../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import { parseExact } from '../values/parse-exact.ts'
import { BlocksSeen, type Ending, writeEnding, writeUsage } from './block-writer.ts'
import { type ShownReasoning, shownReasoning } from './shown-reasoning.ts'

/** The message that a client would have put together from the stream of the same events. */
export const writeMessagesReply: WriteReply = (events, { id, model, request }) => {
  const losses = new Set<LossName>()
  const reasoning = shownReasoning(request)
  const seen = new BlocksSeen()
  const content: object[] = []
  let ending: Ending = { stop_reason: null, stop_sequence: null }
  let usage = writeUsage(undefined)
  let open: OpenBlock | undefined
  for (const event of events) {
    if (event.kind === 'reply-start') usage = writeUsage(event.tokens)
    else if (event.kind === 'block-start') {
      seen.add(event.block)
      open = { head: event.block, text: '', seal: undefined }
    } else if (event.kind === 'block-end') {
      const block = open && writeBlock(open, { losses, reasoning })
      if (block !== undefined) content.push(block)
      open = undefined
    } else if (event.kind === 'reply-end') {
      ending = writeEnding(event.reason, seen)
      for (const loss of event.losses ?? []) losses.add(loss)
      if (event.tokens !== undefined) usage = writeUsage(event.tokens)
    } else if (open !== undefined) fill(open, event)
  }
  return { body: { id, type: 'message', role: 'assistant', content, model, ...ending, usage }, losses }
}

interface OpenBlock {
  head: BlockHead
  text: string
  seal: string | undefined
}

function fill(open: OpenBlock, event: ReplyEvent): void {
  if (event.kind === 'block-delta') open.text += event.text
  if (event.kind === 'block-seal') open.seal = writeSeal(event.seal)
}

/** undefined: nothing of it can be shown here. */
function writeBlock(
  { head, text, seal }: OpenBlock,
  { losses, reasoning }: { losses: Set<LossName>; reasoning: ShownReasoning },
): object | undefined {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text }
    case 'reasoning':
      return writeReasoning(text, seal, reasoning)
    case 'tool-call': {
      const input = head.input === 'text' ? { input: text } : readInput(text)
      return input && { type: 'tool_use', id: head.callId, name: head.name, input }
    }
    case 'opaque':
      if (head.origin === 'messages') return head.raw
      losses.add('unknown_block')
      return undefined
  }
}

function writeReasoning(text: string, seal: string | undefined, shown: ShownReasoning): object | undefined {
  if (shown === 'nothing') return undefined
  const thinking = shown === 'all' ? text : ''
  if (text !== '') return { type: 'thinking', thinking, signature: seal ?? UNSEALED }
  return seal === undefined ? undefined : { type: 'redacted_thinking', data: seal }
}

/** undefined: it was cut off. Half of a command may be a command too, and an empty one may be another. */
function readInput(json: string): object | undefined {
  if (json.trim() === '') return {}
  const value = parseExact(json)
  if (value === null) return {}
  return isJsonObject(value) ? value : undefined
}
