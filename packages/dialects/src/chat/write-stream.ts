import type { ReplyHead, StreamWriter, WriteReply, WriteStream } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { ReplyEvent, ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { FAILURE_CODES } from '../contract/error-envelope.ts'
import { ChatReplyWriter, replyId, writeUsage } from './reply-writer.ts'
import type { FinishReason, WrittenDelta, WrittenMessage, WrittenToolCall } from './wire.ts'

/** Writes a client's stream of this dialect: chunks of one message, its finish, the requested usage and `[DONE]`. */
export const writeChatStream: WriteStream = (head) => new ChatStreamWriter(head)

class ChatStreamWriter implements StreamWriter {
  #isOver = false
  readonly #reply: ChatReplyWriter
  /** The JSON before and behind a delta is the same in every chunk, so it is built once. */
  readonly #before: string
  readonly #after: string
  readonly #beforeText: string
  readonly #afterText: string
  readonly #streamsUsage: boolean

  constructor(head: ReplyHead) {
    const { id, model, createdAtSeconds, request } = head
    this.#reply = new ChatReplyWriter(head)
    this.#streamsUsage = request.streamsUsage === true
    const envelope = { id: replyId(id), object: 'chat.completion.chunk', created: createdAtSeconds, model }
    this.#before = `data: ${JSON.stringify(envelope).slice(0, -1)},"choices":[`
    // OpenAI sends the member in every chunk of such a stream.
    this.#after = this.#streamsUsage ? '],"usage":null}\n\n' : ']}\n\n'
    const [beforeText, afterText] = choiceOf({ content: '' }, null).split('""')
    this.#beforeText = this.#before + beforeText
    this.#afterText = afterText + this.#after
  }

  get losses(): ReadonlySet<LossName> {
    return this.#reply.losses
  }

  write(event: ReplyEvent): string {
    if (this.#isOver) return ''
    switch (event.kind) {
      case 'reply-start':
        return this.#chunk({ role: 'assistant', content: '', refusal: null })
      case 'reply-end':
        for (const loss of event.losses ?? []) this.#reply.losses.add(loss)
        return this.#end(this.#reply.finishOf(event.reason), event.tokens)
      case 'reply-failed':
        return this.#fail(event.failure)
      default: {
        const delta = this.#reply.take(event)
        if (delta === undefined) return ''
        const { content } = delta
        // Nearly every delta is text, which stands alone.
        if (typeof content === 'string') return this.#beforeText + JSON.stringify(content) + this.#afterText
        return this.#chunk(delta)
      }
    }
  }

  keepAlive(): string {
    return this.#isOver ? '' : KEEP_ALIVE
  }

  #chunk(delta: WrittenDelta, finish: FinishReason | null = null): string {
    return this.#before + choiceOf(delta, finish) + this.#after
  }

  #end(finish: FinishReason, tokens: ReplyTokens | undefined): string {
    this.#isOver = true
    const { details } = this.#reply
    const proofs = details.length === 0 ? '' : this.#chunk({ reasoning_details: details })
    const usage = this.#streamsUsage
      ? `${this.#before}],"usage":${JSON.stringify(writeUsage(tokens))}}\n\n`
      : ''
    return `${proofs}${this.#chunk({}, finish)}${usage}${DONE}`
  }

  /** Leaves out `[DONE]`: a failure must not look like a good end. */
  #fail(failure: StreamError): string {
    this.#isOver = true
    return failureFrame(failure)
  }
}

function choiceOf(delta: WrittenDelta, finish: FinishReason | null): string {
  return JSON.stringify({ index: 0, delta, logprobs: null, finish_reason: finish })
}

export const KEEP_ALIVE = ': keep-alive\n\n'
export const DONE = 'data: [DONE]\n\n'

export function failureFrame({ kind, message }: StreamError): string {
  return `data: ${JSON.stringify({ error: { message, ...FAILURE_CODES[kind], param: null } })}\n\n`
}

/** Writes the message that a client would have assembled from the stream of the same events. */
export const writeChatReply: WriteReply = (events, head) => {
  const { id, model, createdAtSeconds } = head
  const reply = new ChatReplyWriter(head)
  const message: WrittenMessage = { role: 'assistant', content: null, refusal: null }
  let finish: FinishReason = 'stop'
  let usage = writeUsage(undefined)
  for (const event of events) {
    if (event.kind === 'reply-end') {
      finish = reply.finishOf(event.reason)
      for (const loss of event.losses ?? []) reply.losses.add(loss)
      usage = writeUsage(event.tokens)
    } else {
      const delta = reply.take(event)
      if (delta !== undefined) addDelta(message, delta)
    }
  }
  if (reply.details.length > 0) message.reasoning_details = reply.details
  const body = {
    id: replyId(id),
    object: 'chat.completion',
    created: createdAtSeconds,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
  }
  return { body, losses: reply.losses }
}

function addDelta(message: WrittenMessage, delta: WrittenDelta): void {
  const { content, refusal, reasoning_content: thought, tool_calls: calls } = delta
  if (typeof content === 'string') message.content = (message.content ?? '') + content
  if (typeof refusal === 'string') message.refusal = (message.refusal ?? '') + refusal
  if (thought !== undefined) message.reasoning_content = (message.reasoning_content ?? '') + thought
  for (const piece of calls ?? []) addCall(message, piece)
}

function addCall(message: WrittenMessage, piece: NonNullable<WrittenDelta['tool_calls']>[number]): void {
  message.tool_calls ??= []
  if ('id' in piece) {
    const { index: _index, ...call } = piece
    message.tool_calls.push(call)
    return
  }
  const call: WrittenToolCall | undefined = message.tool_calls.at(-1)
  if (call?.type === 'function' && 'function' in piece) call.function.arguments += piece.function.arguments
  else if (call?.type === 'custom' && 'custom' in piece) call.custom.input += piece.custom.input
}
