import {
  type AnswerEnd,
  type CallBlock,
  type ModelReply,
  type ReplyBlock,
  type ReplyUsage,
  textOf,
} from '../answer.ts'
import type { Envelope, FrameWriter, TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { readChatRequest } from './read-request.ts'
import { identifyCall } from './signed-call.ts'

export const chat: TextDialect = {
  read: readChatRequest,
  problem: writeErrorObject,
  requestIdHeader: 'x-request-id',
  whole: writeCompletion,
  stream: streamCompletion,
}

function writeCompletion({ blocks, end, usage }: ModelReply, envelope: Envelope): object {
  const calls = blocks.filter((block) => block.kind === 'call')
  const reasoning = join(blocks, 'reasoning')
  const message = {
    role: 'assistant',
    content: join(blocks, 'text'),
    refusal: join(blocks, 'refusal'),
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => writeCall(call, index, envelope)) }),
  }
  return {
    id: envelope.newId('chatcmpl'),
    object: 'chat.completion',
    created: envelope.createdAtSeconds,
    model: envelope.modelRequest.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(end) }],
    ...(envelope.showsUsage && { usage: usageObject(usage) }),
  }
}

function join(blocks: readonly ReplyBlock[], kind: ReplyBlock['kind']): string | null {
  const chosen = blocks.filter((block) => block.kind === kind)
  return chosen.length === 0 ? null : chosen.map(textOf).join('')
}

function writeCall(call: CallBlock, index: number, envelope: Envelope): object {
  const { name } = call
  const { id, ...beside } = identifyCall(index, envelope)
  const text = textOf(call)
  return call.input === 'json'
    ? { id, type: 'function', function: { name, arguments: text }, ...beside }
    : { id, type: 'custom', custom: { name, input: text }, ...beside }
}

function streamCompletion({ blocks, end, usage }: ModelReply, envelope: Envelope): FrameWriter {
  const { modelRequest, createdAtSeconds, newId, showsUsage, interleaves } = envelope
  const envelopeFields = {
    id: newId('chatcmpl'),
    object: 'chat.completion.chunk',
    created: createdAtSeconds,
    model: modelRequest.model,
  }
  const head = `data: ${JSON.stringify(envelopeFields).slice(0, -1)},"choices":[`
  const tellsUsage = showsUsage && modelRequest.wantsUsage
  const tail = tellsUsage ? ',"usage":null}\n\n' : '}\n\n'
  const chunk = (delta: string, finish: string | null = null) =>
    `${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}]${tail}`

  function* callFrames(calls: readonly CallBlock[]): Generator<string> {
    const heads = calls.map((call, index) => chunk(beginCall(call, index, envelope)))
    const pieces = (call: CallBlock, index: number) =>
      call.pieces.map((piece) => chunk(continueCall(call, index, piece)))
    const bodies = calls.map(pieces)
    if (interleaves) {
      yield* heads
      yield* inTurn(bodies)
      return
    }
    for (const [index, begin] of heads.entries()) {
      yield begin
      yield* bodies[index] ?? []
    }
  }

  return {
    *frames() {
      yield chunk('{"role":"assistant","content":"","refusal":null}')
      for (const block of blocks) {
        if (block.kind === 'call') continue
        const field = FIELDS[block.kind]
        for (const piece of block.pieces) yield chunk(`{"${field}":${JSON.stringify(piece)}}`)
      }
      yield* callFrames(blocks.filter((block) => block.kind === 'call'))
    },
    terminal: () => [
      chunk('{}', finishOf(end)),
      ...(tellsUsage ? [`${head}],"usage":${JSON.stringify(usageObject(usage))}}\n\n`] : []),
      'data: [DONE]\n\n',
    ],
    failed: (message) => {
      const error = { message, type: 'server_error', param: null, code: null }
      return [`data: ${JSON.stringify({ error })}\n\n`]
    },
  }
}

const FIELDS = {
  text: 'content',
  refusal: 'refusal',
  reasoning: 'reasoning_content',
} as const satisfies Record<Exclude<ReplyBlock['kind'], 'call'>, string>

function beginCall({ input, name }: CallBlock, index: number, envelope: Envelope): string {
  const { id, ...beside } = identifyCall(index, envelope)
  const call =
    input === 'json'
      ? { index, id, type: 'function', function: { name, arguments: '' }, ...beside }
      : { index, id, type: 'custom', custom: { name, input: '' }, ...beside }
  return JSON.stringify({ tool_calls: [call] })
}

function continueCall({ input }: CallBlock, index: number, piece: string): string {
  const call =
    input === 'json' ? { index, function: { arguments: piece } } : { index, custom: { input: piece } }
  return JSON.stringify({ tool_calls: [call] })
}

function* inTurn(lists: readonly (readonly string[])[]): Generator<string> {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0)
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const frame = list[at]
      if (frame !== undefined) yield frame
    }
  }
}

/** Chat counts cached tokens within `prompt_tokens`. */
function usageObject({ input, cacheRead, cacheWrite, output, reasoning }: ReplyUsage): object {
  const all = input + cacheRead + cacheWrite
  return {
    prompt_tokens: all,
    completion_tokens: output,
    total_tokens: all + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

function finishOf(end: AnswerEnd): string {
  return FINISH_REASONS[end.kind]
}

const FINISH_REASONS = {
  done: 'stop',
  calls: 'tool_calls',
  'stop-sequence': 'stop',
  length: 'length',
  refusal: 'stop',
  filter: 'content_filter',
} as const satisfies Record<AnswerEnd['kind'], string>
