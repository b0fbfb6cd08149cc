import { RETURN_PATH } from '../../../app/verification/return-state.ts'
import type { Operation } from '../../operation.ts'
import { RETURN_HEADERS } from './page.ts'
import { errorPage, presentObstacle } from './present-obstacle.ts'

/** Where the vendor's page sends the browser of a person after the scan. */
export const verificationReturn: Operation = {
  id: 'verificationReturn',
  method: 'GET',
  path: `${RETURN_PATH}/:state`,
  area: 'video',
  access: 'open',
  undocumented: true,
  summary: 'Come back from a verification',
  replies: {
    302: { description: "On to the client's `callback_url`." },
    404: { description: 'A page: the gateway never made this address.', contentType: 'text/html' },
    410: { description: 'A page: its time is over.', contentType: 'text/html' },
    503: { description: 'A page: to be loaded again.', contentType: 'text/html' },
  },
  presentApiError: errorPage,
  handle:
    ({ app }) =>
    async (request, reply) => {
      // A program that only checks whether the address works must not use it up.
      if (request.method === 'HEAD') return reply.code(204).headers(RETURN_HEADERS).send()
      const { state }: { state?: unknown } = Object(request.params)
      const outcome = await app.returnFromVerification({ state: String(state), query: request.query })
      if (outcome.kind === 'redirect') {
        return reply.code(302).headers(RETURN_HEADERS).header('location', outcome.url).send()
      }
      const language = outcome.kind === 'unknown' ? null : outcome.language
      const { status, headers, body } = presentObstacle(outcome.kind, request, { language })
      return reply.code(status).headers(headers).send(body)
    },
}
