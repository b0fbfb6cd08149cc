import type { SandboxPart, SandboxRoute } from '../part.ts'
import type { answerCalls, SandboxOperation } from './calls.ts'
import { createTally } from './tally.ts'

/** Headers about the meaning of a request, without credentials. */
const LOGGED_HEADERS = [
  'compat-version',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'content-type',
  'accept',
  'user-agent',
]

/** Simulates the vendors of text models. Its code is loaded at the first call: most starts never need it. */
export function createText(): SandboxPart {
  const tally = createTally()
  let loading: Promise<ReturnType<typeof answerCalls>> | undefined
  const load = () => {
    loading ??= import('./calls.ts').then((calls) => calls.answerCalls(tally))
    return loading
  }
  const route = (operation: SandboxOperation, path: string): SandboxRoute => ({
    operation,
    method: 'POST',
    path,
    logged: LOGGED_HEADERS,
    handle: async (request) => (await load())[operation](request),
  })
  return {
    name: 'text',
    counts: tally.counts,
    routes: [
      route('messages', '/v1/messages'),
      route('count-tokens', '/v1/messages/count_tokens'),
      route('responses', '/v1/responses'),
      route('compact', '/v1/responses/compact'),
      route('chat', '/v1/chat/completions'),
      route('embeddings', '/v1/embeddings'),
    ],
  }
}
