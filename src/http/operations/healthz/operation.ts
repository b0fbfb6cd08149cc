import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'

export const healthz: Operation = {
  id: 'healthz',
  method: 'GET',
  path: '/healthz',
  area: 'video',
  access: 'open',
  essential: true,
  summary: 'Is the process alive?',
  replies: { 200: { description: 'It is.', schema: json.object({ status: json.literal('ok') }) } },
  handle: () => (_request, reply) => reply.send({ status: 'ok' }),
}
