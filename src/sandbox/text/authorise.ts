import type { IncomingHttpHeaders } from 'node:http'
import { TextProblem } from './problem.ts'

/** Any key is good but these two. */
const REFUSED_KEY = 'bad-key'
const BUSY_KEY = 'busy-key'

export function authorise(headers: IncomingHttpHeaders): void {
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
