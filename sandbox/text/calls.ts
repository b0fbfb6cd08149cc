import { randomBytes } from 'node:crypto'
import { jsonReply, type SandboxReply, type SandboxRequest, type SandboxRoute } from '../part.ts'
import { answerCall, type TextState } from './answer-call.ts'
import { countInput } from './behaviour/count-tokens.ts'
import { createPromptCache } from './behaviour/prompt-cache.ts'
import { chat } from './chat/dialect.ts'
import type { TextDialect } from './dialect.ts'
import { writeEmbeddings } from './embeddings.ts'
import { messages } from './messages/dialect.ts'
import { readMessagesRequest } from './messages/read-request.ts'
import { writeCompaction } from './responses/compaction.ts'
import { createResponses } from './responses/dialect.ts'
import { takeCall } from './take-call.ts'
import type { Tally } from './tally.ts'

export type SandboxOperation = 'messages' | 'count-tokens' | 'responses' | 'compact' | 'chat' | 'embeddings'

/** Handlers of the three dialects. They share the state, and the rules that decide what the model answers. */
export function answerCalls(tally: Tally): Record<SandboxOperation, SandboxRoute['handle']> {
  const state: TextState = { tally, cache: createPromptCache(), newId: createIds() }
  const speak =
    (dialect: TextDialect): SandboxRoute['handle'] =>
    (request) =>
      answerCall(dialect, request, state)
  const responses = createResponses()
  return {
    messages: speak(messages),
    'count-tokens': (request) => countCall(request, state),
    responses: speak(responses),
    compact: speak({ ...responses, whole: writeCompaction }),
    chat: speak(chat),
    embeddings: (request) => embedCall(request, state),
  }
}

/** Makes unique ids with a counter. */
function createIds(): (prefix: string) => string {
  const start = randomBytes(8).toString('hex')
  let last = 0
  return (prefix) => {
    last += 1
    return `${prefix}_${start}${last.toString(16).padStart(8, '0')}`
  }
}

function embedCall(request: SandboxRequest, { newId }: TextState): Promise<SandboxReply> {
  return takeCall(chat, request, {
    requestId: newId('req'),
    answer: (body, headers) => jsonReply(200, writeEmbeddings(body), headers),
  })
}

/** Counts all input tokens of a request, with those that the usage of its answer shows as cached. */
function countCall(request: SandboxRequest, { newId }: TextState): Promise<SandboxReply> {
  return takeCall(messages, request, {
    requestId: newId('req'),
    answer: (body, headers) => {
      const modelRequest = readMessagesRequest(body, { needsMaxTokens: false })
      return jsonReply(200, { input_tokens: countInput(modelRequest) }, headers)
    },
  })
}
