import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'

const WELCOME = { name: 'Sluice', links: { docs: '/docs', models: '/v1/models' } } as const

/** Some clients send a HEAD first to find out whether the server answers. */
export const home: Operation = {
  id: 'home',
  method: 'GET',
  path: '/',
  area: 'video',
  access: 'open',
  summary: 'Is this a gateway, and where does one go from here?',
  replies: {
    200: {
      description: 'It is; two links.',
      schema: json.object({
        name: json.literal(WELCOME.name),
        links: json.object({
          docs: json.literal(WELCOME.links.docs),
          models: json.literal(WELCOME.links.models),
        }),
      }),
    },
  },
  handle: () => (_request, reply) => reply.send(WELCOME),
}
