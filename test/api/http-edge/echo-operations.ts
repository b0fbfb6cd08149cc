import type { Operation } from '../../../src/http/operation.ts'
import { json } from '../../../src/http/schema/json-schema.ts'

/** One POST in each area that gives back what it understood, for all that concerns bodies. */
export const ECHOES: readonly Operation[] = [
  echo({ area: 'video', access: 'api-key', path: '/v1/video/echo' }),
  echo({ area: 'responses', access: 'api-key', path: '/v1/responses/echo' }),
  echo({
    area: 'messages',
    access: 'api-key',
    path: '/v1/messages/echo',
    nul: 'pass',
    limitBytes: 32 * 1024 * 1024,
  }),
  echo({ area: 'admin', access: 'open', path: '/admin/echo' }),
]

/** A route of each kind that has no body to read. */
export const BODYLESS: readonly Operation[] = [plain('GET'), plain('DELETE')]

interface Echo extends Pick<Operation, 'area' | 'access' | 'path'> {
  nul?: 'pass'
  limitBytes?: number
}

function echo({ area, access, path, nul, limitBytes = 1024 * 1024 }: Echo): Operation {
  return {
    id: `${area}Echo`,
    method: 'POST',
    path,
    area,
    access,
    summary: 'Says what it was told',
    body: { schema: json.anything(), limitBytes, ...(nul && { nul }) },
    replies: { 200: { description: 'The body.' } },
    handle: () => async (request) => ({ body: request.body }),
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
