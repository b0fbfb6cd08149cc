import type { Operation } from '../operation.ts'
import { shareScrapes } from './share-scrapes.ts'

export const metrics: Operation = {
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  area: 'video',
  access: 'open',
  essential: true,
  summary: 'Figures for Prometheus',
  replies: { 200: { description: 'The Prometheus text format.', contentType: 'text/plain' } },
  handle({ metrics }) {
    const scrape = shareScrapes(() => metrics.render())
    return async (_request, reply) => {
      const { contentType, body } = await scrape()
      return reply.type(contentType).send(body)
    }
  },
}
