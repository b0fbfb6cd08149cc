import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import { RETURN_PATH } from '../../app/verification/return-state.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Operation } from '../operation.ts'
import { chooseLanguage } from './choose-language.ts'
import { PAGE_HEADERS, RETURN_HEADERS, renderObstacle } from './page.ts'
import type { Obstacle } from './words.ts'

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
    404: { description: 'A page: nobody made this address.', contentType: 'text/html' },
    410: { description: 'A page: its time is over.', contentType: 'text/html' },
    503: { description: 'A page: to be loaded again.', contentType: 'text/html' },
  },
  handle:
    ({ app }) =>
    async (request, reply) => {
      // Whoever only looks whether the address works must not use it up.
      if (request.method === 'HEAD') return reply.code(204).headers(RETURN_HEADERS).send()
      const outcome = await visit(app, request)
      if (outcome.kind !== 'redirect') return showPage(outcome.kind, request, reply)
      return reply.code(302).headers(RETURN_HEADERS).header('location', outcome.url).send()
    },
}

const STATUSES: Readonly<Record<Obstacle, number>> = {
  unknown: 404,
  expired: 410,
  used: 410,
  unavailable: 503,
}

const RETRY_AFTER_SECONDS = 5

async function visit(app: App, { params, query }: FastifyRequest) {
  const { state }: { state?: unknown } = Object(params)
  try {
    return await app.returnFromVerification({ state: String(state), query })
  } catch (error) {
    // A person reads the answer, so it is a page; other faults are our own and go to the log.
    if (error instanceof Refusal && error.status === 503) return { kind: 'unavailable' } as const
    throw error
  }
}

function showPage(obstacle: Obstacle, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (obstacle === 'unavailable') reply.header('retry-after', RETRY_AFTER_SECONDS)
  const page = renderObstacle(obstacle, chooseLanguage(headers['accept-language']))
  return reply.code(STATUSES[obstacle]).headers(PAGE_HEADERS).send(page)
}
