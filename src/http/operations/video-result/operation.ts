import { json } from '../../../domain/json/json-schema.ts'
import { readMember } from '../../body/request-body.ts'
import { openOperation } from '../../operation.ts'

/** Reveals neither whether the token is valid nor the result. */
const ANSWER = {}

/** Address for notices of vendors. It exists only when the operator set a public address. */
export const videoResult = openOperation('videoResult', 'POST /v1/video/result', {
  isOffered: ({ app }) => app.takeNotice !== undefined,
  undocumented: true,
  summary: 'Take a notice of a vendor',
  body: {
    schema: json.object({}),
    limitBytes: 1024 * 1024,
    nul: 'pass',
    answerWhenBad: ANSWER,
    // The token is checked first, so that bodies of strangers are never kept.
    isWanted: ({ app }, { query }) => app.isNoticeToken(readToken(query)),
  },
  replies: { 200: { description: 'The answer is the same for every request.', schema: json.object({}) } },
  handle({ app }) {
    return (request, reply) => {
      app.takeNotice?.(parseNotice(request.query, request.body))
      return reply.send(ANSWER)
    }
  },
})

/** Reads the token, and only the task's id from the body: the gateway asks the vendor for the rest. */
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
