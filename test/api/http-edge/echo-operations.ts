import { json } from '../../../src/domain/json/json-schema.ts'
import type { EdgeRequest } from '../../../src/http/edge-request.ts'
import type { Operation } from '../../../src/http/operation.ts'

/** POST operations of four areas, which return their parsed body. */
export const ECHOES: readonly Operation[] = [
  echo({ area: 'video', access: 'api-key', path: '/v1/video/echo' }),
  echo({ area: 'responses', access: 'api-key', path: '/v1/responses/echo', limitBytes: 'text' }),
  echo({
    area: 'messages',
    access: 'api-key',
    path: '/v1/messages/echo',
    nul: 'pass',
    limitBytes: 'text',
  }),
  echo({ area: 'admin', access: 'open', path: '/admin/echo' }),
]

/** A route of each kind that has no body to read. */
export const BODYLESS: readonly Operation[] = [plain('GET'), plain('DELETE')]

interface Echo extends Pick<Operation, 'area' | 'access' | 'path'> {
  nul?: 'pass'
  limitBytes?: number | 'text'
}

function echo({ access, ...row }: Echo): Operation {
  if (access === 'api-key') return hot(row, ({ body }) => JSON.stringify({ body }))
  return {
    ...rowOf(row),
    access,
    handle: () => async (request) => ({ body: request.body }),
  }
}

/** An operation that writes its answer itself, as the text endpoints do. */
export function hot(
  row: Omit<Echo, 'access'>,
  answer: (request: EdgeRequest) => string | Promise<string>,
): Operation {
  return {
    ...rowOf(row),
    access: 'api-key',
    isHot: true,
    handle: () => async (request, reply) => {
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      const body = await answer(request)
      reply.begin({ status: 200, headers, body })
    },
  }
}

function rowOf({ area, path, nul, limitBytes = 1024 * 1024 }: Omit<Echo, 'access'>) {
  return {
    id: `${area}Echo`,
    method: 'POST' as const,
    path,
    area,
    summary: 'Says what it was told',
    body: { schema: json.anything(), limitBytes, ...(nul && { nul }) },
    replies: { 200: { description: 'The body.' } },
  }
}

function plain(method: 'GET' | 'DELETE'): Operation {
  return {
    id: `${method.toLowerCase()}Plain`,
    method,
    path: '/v1/video/plain/:id',
    area: 'video',
    access: 'api-key',
    summary: 'Says which id it was given',
    replies: { 200: { description: 'The id.' } },
    handle: () => async (request) => ({ params: request.params }),
  }
}
