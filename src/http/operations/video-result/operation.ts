import { json } from '../../../domain/json/json-schema.ts'
import { readMember } from '../../body/request-body.ts'
import type { Operation } from '../../operation.ts'

/** Always the same, so that it tells a stranger nothing: not whether the token is good, not what came of it. */
const ANSWER = {}

/** Where vendors send their notices. It is there only where the operator gave it a public address. */
export const videoResult: Operation = {
  id: 'videoResult',
  method: 'POST',
  path: '/v1/video/result',
  area: 'video',
  access: 'open',
  isOffered: ({ app }) => app.takeNotice !== undefined,
  undocumented: true,
  summary: 'Take a notice of a vendor',
  body: {
    schema: json.object({}),
    limitBytes: 1024 * 1024,
    nul: 'pass',
    answerWhenBad: ANSWER,
    // Its token needs no body and no query to be judged: a stranger's megabytes are not kept for a moment.
    isWanted: ({ app }, { query }) => app.isNoticeToken(readToken(query)),
  },
  replies: { 200: { description: 'Whatever was sent.', schema: json.object({}) } },
  handle({ app }) {
    return (request, reply) => {
      app.takeNotice?.(parseNotice(request.query, request.body))
      return reply.send(ANSWER)
    }
  },
}

/** All that is looked at: who it says it is about. The rest is read from the vendor. */
function parseNotice(
  query: unknown,
  body: unknown,
): { token: string | undefined; ticket: string | undefined } {
  return { token: readToken(query), ticket: textAt(body, 'id') }
}

function readToken(query: unknown): string | undefined {
  return textAt(query, 'token')
}

function textAt(value: unknown, name: string): string | undefined {
  const member = readMember(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}
