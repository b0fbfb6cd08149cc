import type { SandboxPart, SandboxRoute } from '../part.ts'
import type { answerCalls, TextOperation } from './calls.ts'
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

/** The stand-in for vendors of text models. What it says is loaded at the first call: most starts never come to it. */
export function createText(): SandboxPart {
  const tally = createTally()
  let loading: Promise<ReturnType<typeof answerCalls>> | undefined
  const load = () => {
    loading ??= import('./calls.ts').then((calls) => calls.answerCalls(tally))
    return loading
  }
  const route = (operation: TextOperation, path: string): SandboxRoute => ({
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
    ],
  }
}
