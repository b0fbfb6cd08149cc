import { type JsonSchema, json } from '../../schema/json-schema.ts'

/** One line of words for people, as the command line takes them. */
const LINE: JsonSchema = { maxLength: 200, pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$' }

/** Members of bodies and of views that several resources have. */
export const field = {
  name: () =>
    json.string({ ...LINE, description: 'One line of at most 200 characters.', examples: ['Acme Ltd'] }),
  note: () => json.string({ ...LINE, description: 'Why; one line of at most 200 characters.' }),
  id: (kind: string) =>
    json.string({ pattern: '^[\\w-]{1,64}$', description: 'An id.', examples: [`${kind}_019a2b3c`] }),
  requestsPerMinute: () =>
    json.integer({ minimum: 1, maximum: 10_000_000, description: 'Requests a minute, 1 to 10,000,000.' }),
  time: () => json.string({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  timeOrNull: () => json.nullable(json.string({ format: 'date-time' })),
  text: () => json.string(),
  textOrNull: () => json.nullable(json.string()),
  count: () => json.integer(),
  countOrNull: () => json.nullable(json.integer()),
  micros: () => json.integer({ description: 'Millionths of a US dollar.' }),
}
