import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { type CamelCase, camelCase } from '../../app/views/present.ts'
import { ApiError } from '../../domain/api-error.ts'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { JsonSchema } from '../../domain/json/json-schema.ts'

/**
 * Refuses a body or a query that its published schema does not allow, so that API and reference agree. It implements
 * the part of JSON Schema that the admin API uses. Members that the schema does not name are ignored.
 */
export function readBySchema(value: unknown, schema: JsonSchema): Fields {
  const fault = faultIn(value, schema, '')
  if (fault !== undefined) throw fault
  return new Fields(isJsonObject(value) ? value : {})
}

/** Values of a query are texts: digits become a number when the schema requires one. */
export function readQuery(query: unknown, parameters: Record<string, JsonSchema>): Fields {
  const sent: JsonObject = { ...Object(query) }
  const read = Object.entries(parameters).flatMap(([name, { type }]): [string, unknown][] => {
    const value = sent[name]
    if (value === undefined) return []
    return [
      [name, type === 'integer' && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value],
    ]
  })
  return readBySchema(Object.fromEntries(read), { type: 'object', properties: parameters })
}

/** Members of a body or a query that matches its schema. A member of another type is a bug. */
export class Fields {
  readonly values: JsonObject

  constructor(values: JsonObject) {
    this.values = values
  }

  has(name: string): boolean {
    const value = this.values[name]
    return value !== undefined && value !== null
  }

  text(name: string): string {
    const value = this.values[name]
    if (typeof value !== 'string') throw new TypeError(`${name} is not a text`)
    return value
  }

  textOr<Other>(name: string, other: Other): string | Other {
    return this.has(name) ? this.text(name) : other
  }

  /** Texts under the camel-case form of their names; undefined where absent. */
  named<Name extends string>(...names: readonly Name[]): Record<CamelCase<Name>, string | undefined> {
    return Object(Object.fromEntries(names.map((name) => [camelCase(name), this.textOr(name, undefined)])))
  }

  /** Returns one of these words; undefined when it is absent. */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return words.find((word) => word === this.values[name])
  }

  texts(name: string): string[] {
    const value = this.values[name]
    if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`)
    return value.map(String)
  }

  number(name: string): number {
    const value = this.values[name]
    if (typeof value !== 'number') throw new TypeError(`${name} is not a number`)
    return value
  }

  numberOr<Other>(name: string, other: Other): number | Other {
    return this.has(name) ? this.number(name) : other
  }

  microsOr<Other>(name: string, other: Other): Micros | Other {
    return this.has(name) ? micros(this.number(name)) : other
  }

  objects(name: string): Fields[] {
    const value = this.values[name]
    if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`)
    return value.map((item) => new Fields(isJsonObject(item) ? item : {}))
  }

  flagOr<Other>(name: string, other: Other): boolean | Other {
    return this.has(name) ? this.flag(name) : other
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }
}

function faultIn(value: unknown, schema: JsonSchema, param: string): ApiError | undefined {
  const { anyOf, type, enum: values } = schema
  if (anyOf !== undefined) {
    return anyOf.some((one) => faultIn(value, one, param) === undefined) ? undefined : refuse(param, schema)
  }
  if (schema.const !== undefined && value !== schema.const) return refuse(param, schema)
  if (values !== undefined && !values.some((one) => one === value)) return refuse(param, schema)
  if (type !== undefined && ![type].flat().some((name) => isOfType(value, name))) return refuse(param, schema)
  if (typeof value === 'string' && !isTextWithin(value, schema)) return refuse(param, schema)
  if (typeof value === 'number' && !isNumberWithin(value, schema)) return refuse(param, schema)
  if (Array.isArray(value)) return faultInItems(value, schema, param)
  return isJsonObject(value) ? faultInMembers(value, schema, param) : undefined
}

function faultInItems(items: readonly unknown[], schema: JsonSchema, param: string): ApiError | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items: each = {} } = schema
  if (items.length < minItems || items.length > maxItems) return refuse(param, schema)
  for (const [index, item] of items.entries()) {
    const fault = faultIn(item, each, `${param}[${index}]`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultInMembers(
  value: JsonObject,
  { properties = {}, required = [] }: JsonSchema,
  param: string,
): ApiError | undefined {
  for (const [name, member] of Object.entries(properties)) {
    const at = param === '' ? name : `${param}.${name}`
    if (!Object.hasOwn(value, name)) {
      if (!required.includes(name)) continue
      return new ApiError('missing_parameter', { param: at, message: `${at} is required` })
    }
    const fault = faultIn(value[name], member, at)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function isTextWithin(text: string, { pattern, minLength = 0, maxLength }: JsonSchema): boolean {
  const { length } = maxLength === undefined && minLength === 0 ? { length: 0 } : [...text]
  if (length < minLength || length > (maxLength ?? Number.POSITIVE_INFINITY)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
}

function isNumberWithin(number: number, { minimum, maximum }: JsonSchema): boolean {
  return number >= (minimum ?? Number.NEGATIVE_INFINITY) && number <= (maximum ?? Number.POSITIVE_INFINITY)
}

/** The message uses the description of the member. */
function refuse(param: string, { description, enum: values }: JsonSchema): ApiError {
  const hint = values === undefined ? (description ?? '') : `One of: ${values.join(', ')}.`
  const what =
    param === '' ? 'The body must be an object.' : `${param} has a value that is not allowed. ${hint}`
  return new ApiError('invalid_parameter', { ...(param !== '' && { param }), message: what.trim() })
}
