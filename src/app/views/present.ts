import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import { presentTime } from './times.ts'

export const shown = {
  text: () => json.string(),
  textOrNull: () => json.nullable(json.string()),
  count: () => json.integer(),
  countOrNull: () => json.nullable(json.integer()),
  micros: () => json.integer({ description: 'Millionths of a US dollar.' }),
  time: (): TimeSchema => ({ type: 'string', format: 'date-time', description: 'ISO 8601, UTC.' }),
  timeOrNull: (more: JsonSchema = {}): TimeOrNullSchema => ({
    ...more,
    anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
  }),
}

type TimeSchema = JsonSchema & { format: 'date-time' }
type TimeOrNullSchema = JsonSchema & { anyOf: [{ type: 'string'; format: 'date-time' }, { type: 'null' }] }

/** One kind of answer of the admin API and of `--json`: the schema of each member, and a function that fills them. */
export interface Answer<Members extends Record<string, JsonSchema>, Row> {
  members: Members
  schema: JsonSchema
  present: (row: Row) => Record<keyof Members, unknown>
  /** Makes an answer with the same members for another kind of row, which `toRow` converts first. */
  from: <Source>(toRow: (source: Source) => Row) => Answer<Members, Source>
}

/**
 * Fills the members in their order, each from the field of its name: `user_id` from `userId`, and a time such as
 * `created_at` from `createdAtMs`. `names` has the fields with other names; a time is named there without `Ms`.
 */
export function answer<
  const Members extends Record<string, JsonSchema>,
  const Names extends { readonly [Member in keyof Members]?: string } = Record<never, never>,
>(members: Members, names?: Names): Answer<Members, RowOf<Members, Names>> {
  const renamed: { [member: string]: string | undefined } = Object(names)
  return answerFrom(members, (row) => {
    const values: { [field: string]: unknown } = row
    const entries = Object.entries(members).map(([member, schema]) => {
      const field = renamed[member] ?? camelCase(member)
      if (!isTime(schema)) return [member, values[field]]
      const timeMs = values[`${field}Ms`]
      return [member, typeof timeMs === 'number' ? presentTime(timeMs) : null]
    })
    return Object.fromEntries(entries)
  })
}

function answerFrom<Members extends Record<string, JsonSchema>, Row>(
  members: Members,
  present: Answer<Members, Row>['present'],
): Answer<Members, Row> {
  return {
    members,
    schema: json.object(members),
    present,
    from: (toRow) => answerFrom(members, (source) => present(toRow(source))),
  }
}

/** Every field that the answer shows; a row may have more. */
type RowOf<Members extends Record<string, JsonSchema>, Names> = {
  [Member in keyof Members as FieldOf<Member, Members, Names>]: IsTime<Members[Member]> extends true
    ? number | null
    : unknown
}

type FieldOf<Member, Members, Names> = Member extends keyof Members & string
  ? `${NameOf<Member, Names>}${IsTime<Members[Member]> extends true ? 'Ms' : ''}`
  : never

type NameOf<Member extends string, Names> = Member extends keyof Names
  ? Names[Member] & string
  : CamelCase<Member>

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name

type IsTime<Schema> = Schema extends TimeSchema | TimeOrNullSchema ? true : false

export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function isTime({ format, anyOf }: JsonSchema): boolean {
  return format === 'date-time' || anyOf?.[0]?.format === 'date-time'
}
