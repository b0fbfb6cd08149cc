import type { ReplyHead, StreamWriter, WriteReply, WriteStream } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { BlockHead, EndReason, ReplyEvent, ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import type { TextTokens } from '../canonical/usage.ts'
import { isJsonObject } from '../json/json-object.ts'
import { parseExact } from '../json/parse-exact.ts'
import {
  BlocksSeen,
  CALLED_DIRECTLY,
  ContentBlockWriter,
  NOT_ENDED,
  writeDeltaUsage,
  writeEnding,
  writeUsage,
} from './reply-writer.ts'
import { type ShownReasoning, shownReasoning } from './shown-reasoning.ts'
import { type Block, ERROR_TYPES, type MessagesReply, sseEvent } from './wire.ts'

/** A client's stream of this dialect: `message_start`, its blocks, `message_delta`, `message_stop`; or an error. */
export const writeMessagesStream: WriteStream = (head) => new MessagesStreamWriter(head)

class MessagesStreamWriter implements StreamWriter {
  readonly losses = new Set<LossName>()
  #isOver = false
  #tokens: TextTokens | undefined
  readonly #seen = new BlocksSeen()
  readonly #blocks: ContentBlockWriter
  readonly #head: ReplyHead

  constructor(head: ReplyHead) {
    this.#head = head
    this.#blocks = new ContentBlockWriter(this.losses, shownReasoning(head.request))
  }

  write(event: ReplyEvent): string {
    if (this.#isOver) return ''
    switch (event.kind) {
      case 'block-delta':
        return this.#blocks.delta(event.text)
      case 'block-start':
        this.#seen.add(event.block)
        return this.#blocks.start(event.block)
      case 'block-seal':
        return this.#blocks.seal(event.seal)
      case 'block-end':
        return this.#blocks.end()
      case 'reply-start':
        return this.#start(event.tokens)
      case 'reply-end':
        for (const loss of event.losses ?? []) this.losses.add(loss)
        return this.#end(event.reason, event.tokens)
      case 'reply-failed':
        return this.#fail(event.failure)
    }
  }

  keepAlive(): string {
    return this.#isOver ? '' : PING
  }

  #start(tokens: TextTokens | undefined): string {
    this.#tokens = tokens
    const { id, model, countInput } = this.#head
    const isCounted = tokens !== undefined && tokens.input + tokens.cachedInput + tokens.cacheWrite > 0
    const message: MessagesReply = {
      id,
      type: 'message',
      role: 'assistant',
      content: [],
      model,
      ...NOT_ENDED,
      diagnostics: null,
      // Frameworks read the input count from here, so the gateway's own count replaces a missing one.
      usage: writeUsage(isCounted ? tokens : { ...NOTHING, ...tokens, input: countInput?.() ?? 0 }),
    }
    return sseEvent({ type: 'message_start', message })
  }

  /** The count of the start stays where the end has none. */
  #end(reason: EndReason, tokens: ReplyTokens | undefined): string {
    this.#isOver = true
    const delta = writeEnding(reason, this.#seen)
    const usage = writeDeltaUsage(tokens ?? this.#tokens)
    return sseEvent({ type: 'message_delta', delta, usage }) + STOP
  }

  #fail({ kind, message }: StreamError): string {
    this.#isOver = true
    return sseEvent({ type: 'error', error: { type: ERROR_TYPES[kind], message } })
  }
}

const NOTHING: TextTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 }
const PING = sseEvent({ type: 'ping' })
const STOP = sseEvent({ type: 'message_stop' })

/** Writes the message that a client would have assembled from the stream of the same events. */
export const writeMessagesReply: WriteReply = (events, { id, model, request }) => {
  const losses = new Set<LossName>()
  const reasoning = shownReasoning(request)
  const seen = new BlocksSeen()
  const content: MessagesReply['content'] = []
  let ending = NOT_ENDED
  let usage = writeUsage(undefined)
  let open: OpenReplyBlock | undefined
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
  const body: MessagesReply = {
    id,
    type: 'message',
    role: 'assistant',
    content,
    model,
    ...ending,
    diagnostics: null,
    usage,
  }
  return { body, losses }
}

interface OpenReplyBlock {
  head: BlockHead
  text: string
  seal: string | undefined
}

function fill(open: OpenReplyBlock, event: ReplyEvent): void {
  if (event.kind === 'block-delta') open.text += event.text
  if (event.kind === 'block-seal') open.seal = writeSeal(event.seal)
}

/** undefined: the block has no place in this dialect. */
function writeBlock(
  { head, text, seal }: OpenReplyBlock,
  { losses, reasoning }: { losses: Set<LossName>; reasoning: ShownReasoning },
): Block | object | undefined {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text }
    case 'reasoning':
      return writeReasoning(text, seal, reasoning)
    case 'tool-call': {
      const input = head.input === 'text' ? { input: text } : readInput(text)
      return input && { type: 'tool_use', id: head.callId, name: head.name, input, caller: CALLED_DIRECTLY }
    }
    case 'opaque':
      if (head.origin === 'messages') return head.raw
      losses.add('unknown_block')
      return undefined
  }
}

function writeReasoning(text: string, seal: string | undefined, shown: ShownReasoning): Block | undefined {
  if (shown === 'nothing') return undefined
  const thinking = shown === 'all' ? text : ''
  if (text !== '') return { type: 'thinking', thinking, signature: seal ?? UNSEALED }
  return seal === undefined ? undefined : { type: 'redacted_thinking', data: seal }
}

/** undefined: the input was cut off. A part of a command may be a valid command that the model did not mean. */
function readInput(json: string): object | undefined {
  if (json.trim() === '') return {}
  const value = parseExact(json)
  if (value === null) return {}
  return isJsonObject(value) ? value : undefined
}
