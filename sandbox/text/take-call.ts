import type { IncomingHttpHeaders } from 'node:http'
import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import type { TextDialect } from './dialect.ts'
import { Field } from './field.ts'
import { TextProblem } from './problem.ts'

/** Checks the key and the headers of a call, and answers its body. Errors have the shape of the dialect. */
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

/** The two keys that are refused. */
const REFUSED_KEY = 'bad-key'
const BUSY_KEY = 'busy-key'

function authorise(headers: IncomingHttpHeaders): void {
  const key = readKey(headers)
  if (key === undefined) throw new TextProblem('bad-key', 'No API key was sent.')
  if (key === REFUSED_KEY) throw new TextProblem('bad-key', 'The API key is not valid.')
  if (key === BUSY_KEY) {
    throw new TextProblem('busy', 'This key has reached its rate limit.', { headers: { 'retry-after': '1' } })
  }
}

function readKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key } = headers
  const bearer = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : ''
  return bearer || (typeof key === 'string' && key) || undefined
}
