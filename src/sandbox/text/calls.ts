import type { SandboxRoute } from '../part.ts'
import { answerCall, type Desk } from './answer-call.ts'
import { chat } from './chat/dialect.ts'
import { countCall } from './count-call.ts'
import type { TextDialect } from './dialect.ts'
import { createIds } from './ids.ts'
import { messages } from './messages/dialect.ts'
import { createPromptCache } from './mind/prompt-cache.ts'
import { createResponses } from './responses/dialect.ts'
import type { Tally } from './tally.ts'

export type TextOperation = 'messages' | 'count-tokens' | 'responses' | 'chat'

/** One mind behind three wires. */
export function answerCalls(tally: Tally): Record<TextOperation, SandboxRoute['handle']> {
  const desk: Desk = { tally, cache: createPromptCache(), newId: createIds() }
  const speak =
    (dialect: TextDialect): SandboxRoute['handle'] =>
    (request) =>
      answerCall(dialect, request, desk)
  return {
    messages: speak(messages),
    'count-tokens': (request) => countCall(request, desk),
    responses: speak(createResponses()),
    chat: speak(chat),
  }
}
