import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import { authorise } from './authorise.ts'
import type { TextDialect } from './dialect.ts'
import { Field } from './field.ts'
import { TextProblem } from './problem.ts'

/** Opens one call: whose it is, and what its body says. Refusals leave in the shape of the dialect. */
export async function takeCall(
  dialect: TextDialect,
  request: SandboxRequest,
  {
    requestId,
    answer,
  }: {
    requestId: string
    answer: (body: Field, headers: Readonly<Record<string, string>>) => SandboxReply | Promise<SandboxReply>
  },
): Promise<SandboxReply> {
  const headers = { [dialect.requestIdHeader]: requestId }
  try {
    authorise(request.headers)
    dialect.checkHeaders?.(request.headers)
    return await answer(parseBody(request.body), headers)
  } catch (error) {
    if (!(error instanceof TextProblem)) throw error
    return jsonReply(error.status, dialect.problem(error, requestId), { ...headers, ...error.headers })
  }
}

function parseBody(bytes: Buffer): Field {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    throw new TextProblem('invalid', 'The body must be valid JSON.')
  }
  const body = new Field(value)
  body.object()
  return body
}
