import { type Answer, type Block, type CallBlock, textOf } from '../answer.ts'
import type { Envelope, TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { readChatRequest } from './read-request.ts'
import { identifyCall } from './signed-call.ts'
import { finishOf, usageObject } from './usage.ts'
import { streamCompletion } from './write-stream.ts'

export const chat: TextDialect = {
  read: readChatRequest,
  problem: writeErrorObject,
  requestIdHeader: 'x-request-id',
  whole: writeCompletion,
  stream: streamCompletion,
}

function writeCompletion({ blocks, end, usage }: Answer, envelope: Envelope): object {
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
    model: envelope.asked.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(end) }],
    ...(envelope.showsUsage && { usage: usageObject(usage) }),
  }
}

function join(blocks: readonly Block[], kind: Block['kind']): string | null {
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
