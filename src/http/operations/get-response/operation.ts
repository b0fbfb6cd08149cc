import { isReplyId, type ReplyName } from '../../../app/text/kept/reply-store.ts'
import { type ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import { clientOperation, type Operation } from '../../operation.ts'
import { closedSignal } from '../../server/closed-signal.ts'
import { createResponse } from '../create-response/operation.ts'
import { ResponseReply } from '../create-response/schemas.ts'

const RESPONSE = {
  description: 'The response. Its `status` is `queued` or `in_progress` while it runs.',
  schema: ResponseReply,
}
const NOT_FOUND = { description: 'Your organization has no such response, or it is no longer kept.' }
const UNAVAILABLE = { description: 'Kept responses cannot be read now, or the gateway is busy.' }

const EXAMPLE: Operation['example'] = {
  earlier: {
    operation: createResponse,
    body: { model: 'vendorC/model-4.1', input: 'Which way does the water go?', background: true },
    take: ['id'],
  },
}

export const getResponse = clientOperation('getResponse', 'GET /v1/responses/:response_id', 'responses', {
  summary: 'Get a response that is kept',
  description:
    'Replies to requests with `store: true` or `background: true` are kept for `REPLIES_KEPT_MINUTES`, encrypted. They belong to the organization: each of its API keys can read, continue, cancel and delete them. With `stream=true` the answer is a stream of the events of the response: first the stored events, then new ones as they arrive.',
  example: EXAMPLE,
  query: {
    stream: {
      schema: json.oneOf(['true', 'false']),
      description:
        'Whether the answer is the events of the response, which must be a stream or a background response.',
    },
    starting_after: {
      schema: json.string({ pattern: '^[0-9]{1,15}$' }),
      description: 'With `stream=true`: only events after the one with this `sequence_number`.',
    },
  },
  replies: {
    200: { ...RESPONSE, alsoAs: 'text/event-stream' },
    400: { description: 'A parameter that is not allowed, or a response without events.' },
    404: NOT_FOUND,
    503: UNAVAILABLE,
  },
  async serve({ app }, request, reply) {
    const name = nameOf(request)
    const after = readAfter(request.query)
    const isHead = request.method === 'HEAD'
    if (after !== undefined && !isHead) return app.readResponse({ name, after }, reply)
    const response = await app.getResponse(name)
    if (after !== undefined) return reply.type('text/event-stream').send()
    reply.type('application/json; charset=utf-8')
    return response
  },
})

export const deleteResponse = clientOperation(
  'deleteResponse',
  'DELETE /v1/responses/:response_id',
  'responses',
  {
    summary: 'Delete a response that is kept',
    description:
      'Every API key of the organization can delete it. A response that still runs is cancelled first; the output that was made until then is charged.',
    example: EXAMPLE,
    replies: {
      200: {
        description: 'The response is no longer kept.',
        schema: json.object({ id: json.string(), deleted: json.literal(true) }),
      },
      404: NOT_FOUND,
      503: UNAVAILABLE,
    },
    async serve({ app }, request, reply) {
      const name = nameOf(request)
      await app.deleteResponse(name, closedSignal(reply))
      return { id: name.id, deleted: true }
    },
  },
)

export const cancelResponse = clientOperation(
  'cancelResponse',
  'POST /v1/responses/:response_id/cancel',
  'responses',
  {
    summary: 'Cancel a response that runs in the background',
    description:
      'The output that was made until then is charged. A response that has ended stays as it is and is returned. No body is needed.',
    example: EXAMPLE,
    replies: {
      200: RESPONSE,
      400: { description: 'The response was not made with `background: true`.' },
      404: NOT_FOUND,
      503: UNAVAILABLE,
    },
    async serve({ app }, request, reply) {
      const response = await app.cancelResponse(nameOf(request), closedSignal(reply))
      reply.type('application/json; charset=utf-8')
      return response
    },
  },
)

/** Returns an empty id for an invalid one, so that it is answered like an unknown id. */
function nameOf({ params, caller }: EdgeRequest): ReplyName {
  const { response_id: id }: { response_id?: unknown } = Object(params)
  const { organizationId } = caller
  return { organizationId, id: typeof id === 'string' && isReplyId(id) ? id : '' }
}

/** Returns the `sequence_number` after which events are requested, -1 for all; undefined: the response itself. */
function readAfter(query: unknown): number | undefined {
  const { stream = 'false', starting_after: after }: { stream?: unknown; starting_after?: unknown } =
    Object(query)
  if (stream !== 'true' && stream !== 'false') throw refused('stream', 'must be true or false')
  if (after === undefined) return stream === 'true' ? -1 : undefined
  if (typeof after !== 'string' || !/^[0-9]{1,15}$/.test(after))
    throw refused('starting_after', 'must be the sequence_number of an event')
  if (stream === 'false') throw refused('starting_after', 'needs stream=true')
  return Number(after)
}

function refused(param: string, problem: string): ApiError {
  return invalidParameter(param, `${param} ${problem}`)
}
