import type { SandboxPart, SandboxRequest, SandboxRoute } from '../part.ts'
import { answerCall, type Desk } from './answer-call.ts'
import { chat } from './chat/dialect.ts'
import { countCall } from './count-call.ts'
import type { TextDialect } from './dialect.ts'
import { createIds } from './ids.ts'
import { messages } from './messages/dialect.ts'
import { createPromptCache } from './mind/prompt-cache.ts'
import { responses } from './responses/dialect.ts'
import { createTally } from './tally.ts'

/** Headers that say how a request is meant, and carry no credentials. */
const LOGGED_HEADERS = [
  'compat-version',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'content-type',
  'accept',
  'user-agent',
]

/** The stand-in for vendors of text models: one mind behind three wires. */
export function createText(): SandboxPart {
  const desk: Desk = { tally: createTally(), cache: createPromptCache(), newId: createIds() }
  const route = (operation: string, path: string, handle: SandboxRoute['handle']): SandboxRoute => ({
    operation,
    method: 'POST',
    path,
    logged: LOGGED_HEADERS,
    handle,
  })
  const speak = (dialect: TextDialect) => (request: SandboxRequest) => answerCall(dialect, request, desk)
  return {
    name: 'text',
    counts: desk.tally.counts,
    routes: [
      route('messages', '/v1/messages', speak(messages)),
      route('count-tokens', '/v1/messages/count_tokens', (request) => countCall(request, desk)),
      route('responses', '/v1/responses', speak(responses)),
      route('chat', '/v1/chat/completions', speak(chat)),
    ],
  }
}
