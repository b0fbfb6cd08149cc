import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, type Block, textOf } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope, TextDialect } from '../dialect.ts'
import { type ProblemKind, TextProblem } from '../problem.ts'
import { readMessagesRequest } from './read-request.ts'
import { stopOf, usageObject } from './usage.ts'
import { streamMessage } from './write-stream.ts'

export const messages: TextDialect = {
  checkHeaders: needVersion,
  read: (body) => readMessagesRequest(body),
  problem: writeProblem,
  requestIdHeader: 'request-id',
  whole: writeMessage,
  stream: streamMessage,
}

/** The real vendor has the second name; the first is what this project's contract calls it. */
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

function writeMessage({ blocks, end, usage }: Answer, envelope: Envelope): object {
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
