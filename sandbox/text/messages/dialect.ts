import type { IncomingHttpHeaders } from 'node:http'
import { type AnswerEnd, type ModelReply, type ReplyBlock, type ReplyUsage, textOf } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope, FrameWriter, TextDialect } from '../dialect.ts'
import { type ProblemKind, TextProblem } from '../problem.ts'
import { readMessagesRequest } from './read-request.ts'

export const messages: TextDialect = {
  checkHeaders: needVersion,
  read: (body) => readMessagesRequest(body),
  problem: writeProblem,
  requestIdHeader: 'request-id',
  whole: writeMessage,
  stream: streamMessage,
}

/** The real vendor uses the second name; the first is the one in this project's contract. */
const VERSION_HEADERS = ['compat-version', 'anthropic-version']

function needVersion(headers: IncomingHttpHeaders): void {
  if (VERSION_HEADERS.every((name) => headers[name] === undefined)) {
    throw new TextProblem('invalid', `${VERSION_HEADERS[1]}: header is required`)
  }
}

function writeProblem({ kind, message, at }: TextProblem, requestId: string): object {
  const place = at.length === 0 ? '' : `${at.join('.')}: `
  return {
    type: 'error',
    error: { type: TYPES[kind], message: `${place}${message}` },
    request_id: requestId,
  }
}

const TYPES = {
  invalid: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'bad-key': 'authentication_error',
  missing: 'not_found_error',
  busy: 'rate_limit_error',
  broken: 'api_error',
  overloaded: 'overloaded_error',
} as const satisfies Record<ProblemKind, string>

function writeMessage({ blocks, end, usage }: ModelReply, envelope: Envelope): object {
  return {
    id: envelope.newId('msg'),
    type: 'message',
    role: 'assistant',
    model: envelope.modelRequest.model,
    content: blocks.map((block) => writeBlock(block, envelope)),
    ...stopOf(end),
    diagnostics: null,
    ...(envelope.showsUsage && { usage: { ...usageObject(usage), ...TERMS } }),
  }
}

function writeBlock(block: ReplyBlock, { modelRequest, newId }: Envelope): object {
  const text = textOf(block)
  switch (block.kind) {
    case 'reasoning':
      return {
        type: 'thinking',
        thinking: modelRequest.hidesReasoning ? '' : text,
        signature: sealOf('messages', text),
      }
    case 'call':
      return { ...callOf(block, newId), input: parseInput(text) }
    default:
      return { type: 'text', text }
  }
}

/** A scripted input may be invalid JSON, which a whole message cannot hold. */
function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function streamMessage({ blocks, end, usage }: ModelReply, envelope: Envelope): FrameWriter {
  const { modelRequest, newId, showsUsage } = envelope
  return {
    *frames() {
      const message = {
        id: newId('msg'),
        type: 'message',
        role: 'assistant',
        model: modelRequest.model,
        content: [],
        ...NOT_ENDED,
        diagnostics: null,
        ...(showsUsage && { usage: { ...usageObject(usage, 1), ...TERMS } }),
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

function* blockFrames(
  block: ReplyBlock,
  index: number,
  { modelRequest, newId }: Envelope,
): Generator<string> {
  yield frame('content_block_start', {
    type: 'content_block_start',
    index,
    content_block: headOf(block, newId),
  })
  const kind = DELTAS[block.kind]
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${kind.type}","${kind.field}":`
  if (block.kind === 'call') yield `${head}""}}\n\n`
  if (block.kind !== 'reasoning' || !modelRequest.hidesReasoning) {
    for (const piece of block.pieces) yield `${head}${JSON.stringify(piece)}}}\n\n`
  }
  if (block.kind === 'reasoning') {
    const delta = { type: 'signature_delta', signature: sealOf('messages', textOf(block)) }
    yield frame('content_block_delta', { type: 'content_block_delta', index, delta })
  }
  yield frame('content_block_stop', { type: 'content_block_stop', index })
}

function headOf(block: ReplyBlock, newId: Envelope['newId']): object {
  if (block.kind === 'reasoning') return { type: 'thinking', thinking: '', signature: '' }
  return block.kind === 'call' ? callOf(block, newId) : { type: 'text', text: '' }
}

function callOf({ name }: Extract<ReplyBlock, { kind: 'call' }>, newId: Envelope['newId']): object {
  return { type: 'tool_use', id: newId('toolu'), name, input: {}, caller: { type: 'direct' } }
}

const DELTAS = {
  text: { type: 'text_delta', field: 'text' },
  refusal: { type: 'text_delta', field: 'text' },
  reasoning: { type: 'thinking_delta', field: 'thinking' },
  call: { type: 'input_json_delta', field: 'partial_json' },
} as const satisfies Record<ReplyBlock['kind'], { type: string; field: string }>

function frame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Messages counts cached tokens in fields of their own: `input_tokens` excludes them. */
function usageObject(
  { input, cacheRead, cacheWrite, output, reasoning }: ReplyUsage,
  soFar = output,
): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: soFar,
    output_tokens_details: reasoning > 0 && soFar === output ? { thinking_tokens: reasoning } : null,
    server_tool_use: null,
  }
}

/** Further members of a message's counts; the counts at the end of a stream lack them. */
const TERMS = { cache_creation: null, inference_geo: null, service_tier: 'standard', speed: null }

/** Returns the fields about the end of an answer, such as `stop_reason`. */
function stopOf(end: AnswerEnd): object {
  const stop_sequence = end.kind === 'stop-sequence' ? end.sequence : null
  return { ...NOT_ENDED, stop_reason: STOP_REASONS[end.kind], stop_sequence }
}

const NOT_ENDED = { stop_reason: null, stop_sequence: null, stop_details: null, container: null }

const STOP_REASONS = {
  done: 'end_turn',
  calls: 'tool_use',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  refusal: 'refusal',
  filter: 'refusal',
} as const satisfies Record<AnswerEnd['kind'], string>
