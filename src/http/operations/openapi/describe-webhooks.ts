import { EVENT_TYPES } from '../../../domain/events/event.ts'
import { type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import { Task } from '../get-task/task-schema.ts'
import type { OpenApiDocument, ParameterObject } from './document.ts'
import { GROUPS } from './group-of.ts'
import { referenceTo, type SchemaNames } from './name-schemas.ts'
import { sampleOf } from './sample-of.ts'

/** An event as it arrives; its data is described by the example of its type. */
const Event: JsonSchema = {
  title: 'Event',
  anyOf: Object.entries(EVENT_TYPES).map(([type, { example, when }]) =>
    json.object(
      {
        type: json.literal(type),
        timestamp: json.string({ format: 'date-time' }),
        data: json.object(
          Object.fromEntries(Object.entries(example).map(([name, one]) => [name, typeOf(one)])),
        ),
      },
      { description: when, examples: [{ type, timestamp: '2026-11-18T09:00:00.000Z', data: example }] },
    ),
  ),
}

function typeOf(value: string | number | boolean): JsonSchema {
  if (typeof value === 'string') return json.string()
  return typeof value === 'number' ? json.integer() : json.literal(value)
}

export const WEBHOOK_BODIES: readonly JsonSchema[] = [Event]

/** Requests that the gateway sends, signed as Standard Webhooks describe. */
export function describeWebhooks(names: SchemaNames): OpenApiDocument['webhooks'] {
  return {
    taskEnded: webhook('taskEnded', Task, names, {
      tag: GROUPS.video.title,
      summary: 'A video task has ended',
      description: 'Sent to the `callback_url` of a create call. The body is what `getTask` answers.',
    }),
    event: webhook('event', Event, names, {
      tag: GROUPS.account.title,
      summary: 'An event of the organization or of the deployment',
      description:
        'Sent to the address for events of the organization, and to that of the operators. Types: `docs/events.md`.',
    }),
  }
}

function webhook(
  operationId: string,
  schema: JsonSchema,
  names: SchemaNames,
  { tag, ...texts }: { tag: string; summary: string; description: string },
) {
  const content = { 'application/json': { schema: referenceTo(schema, names), example: sampleOf(schema) } }
  return {
    post: {
      ...{ operationId, tags: [tag], ...texts, security: [] as [], parameters: HEADERS },
      requestBody: { required: true as const, content },
      responses: { '2XX': { description: 'It has arrived: answer within 10 seconds.' } },
    },
  }
}

const HEADERS: ParameterObject[] = [
  ['webhook-id', 'The same in every attempt.', 'msg_019a2b3c'],
  ['webhook-timestamp', 'Unix seconds of this attempt.', '1767323045'],
  [
    'webhook-signature',
    'HMAC-SHA-256 of `id.timestamp.body`, as `v1,` and base64; several are divided by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name = '', description = '', example = '']) => ({
  ...{ name, in: 'header', required: true, description, schema: json.string(), example },
}))
