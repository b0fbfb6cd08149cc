import { shown } from '../../../app/views/present.ts'
import { invalidParameter } from '../../../domain/api-error.ts'
import { type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import type { Fields } from '../../schema/read-by-schema.ts'

/** One line of text for people, by the rules of `parseLine` in the command line. */
const LINE: JsonSchema = { maxLength: 200, pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$' }

export const field = {
  ...shown,
  name: () =>
    json.string({ ...LINE, description: 'One line of at most 200 characters.', examples: ['Acme Ltd'] }),
  /** Filter of a list: an unknown value leaves no row. */
  word: () => json.string({ maxLength: 200, pattern: '^[^\\p{Cc}]*$' }),
  note: () =>
    json.string({
      ...LINE,
      description: 'The reason, in one line of at most 200 characters.',
      examples: ['bad clip'],
    }),
  id: (kind: string) =>
    json.string({ pattern: '^[\\w-]{1,64}$', description: 'An id.', examples: [`${kind}_019a2b3c`] }),
  requestsPerMinute: () =>
    json.integer({ minimum: 1, maximum: 10_000_000, description: 'Requests a minute, 1 to 10,000,000.' }),
  moment: () =>
    json.string({
      pattern: '^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z)?$',
      description: 'ISO 8601 in UTC, such as 2026-11-01 or 2026-11-01T05:30:00Z.',
      examples: ['2026-11-01'],
    }),
  budget: () =>
    json.integer({
      minimum: 0,
      maximum: 1_000_000_000_000_000,
      description: 'Millionths of a US dollar in a calendar month.',
      examples: [50_000_000],
    }),
}

/** Moment of a filter; undefined where it was left out. */
export function momentIn(given: Fields, name: string): number | undefined {
  return given.has(name) ? momentOf(given.text(name), name) : undefined
}

/** Parses a text that matches `field.moment`; a day that is not in the calendar is refused. */
export function momentOf(text: string, param: string): number {
  const momentMs = Date.parse(text)
  if (!Number.isNaN(momentMs) && new Date(momentMs).toISOString().startsWith(text.slice(0, 19)))
    return momentMs
  throw invalidParameter(param, `${param} is not a moment of the calendar.`)
}
