import type { Operation } from '../operation.ts'

export const metrics: Operation = {
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  area: 'video',
  access: 'open',
  essential: true,
  summary: 'Figures for Prometheus',
  replies: { 200: { description: 'The Prometheus text format.', contentType: 'text/plain' } },
  handle:
    ({ metrics }) =>
    async (_request, reply) => {
      const { contentType, body } = await metrics.render()
      return reply.type(contentType).send(body)
    },
}
