import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import type { Desk } from './answer-call.ts'
import { messages } from './messages/dialect.ts'
import { readMessagesRequest } from './messages/read-request.ts'
import { countInput } from './mind/count-tokens.ts'
import { takeCall } from './take-call.ts'

/** How many tokens a request would be: the same number as its answer's usage will say. */
export function countCall(request: SandboxRequest, { newId }: Desk): Promise<SandboxReply> {
  return takeCall(messages, request, {
    requestId: newId('req'),
    answer: (body, headers) => {
      const asked = readMessagesRequest(body, { needsMaxTokens: false })
      return jsonReply(200, { input_tokens: countInput(asked) }, headers)
    },
  })
}
