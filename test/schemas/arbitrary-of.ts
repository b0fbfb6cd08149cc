import type { JsonSchema } from '../../src/domain/json/json-schema.ts'
import { fc } from '../random/properties.ts'

type Json = fc.Arbitrary<unknown>

/** Values that a schema allows. What a pattern or a `not` refuses may be among them: the caller filters. */
export function arbitraryOf(schema: JsonSchema): Json {
  const { anyOf, const: value, enum: values, type } = schema
  if (value !== undefined) return fc.constant(value)
  if (values !== undefined) return fc.constantFrom(...values)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(arbitraryOf))
  if (Array.isArray(type)) return fc.oneof(...type.map((name) => ofType({ ...schema, type: name })))
  return ofType(schema)
}

function ofType(schema: JsonSchema): Json {
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return arrayOf(schema)
    case 'string':
      return stringOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return fc.double({
        min: schema.minimum ?? -1e9,
        max: schema.maximum ?? 1e9,
        noNaN: true,
        noDefaultInfinity: true,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Every required member, some optional ones, and sometimes an unknown one. */
function objectOf({ properties = {}, required = [] }: JsonSchema): Json {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member)]),
  )
  const known = fc.record(members, { requiredKeys: required })
  const unknown = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 2,
  })
  return fc.tuple(unknown, known).map(([more, own]) => ({ ...more, ...own }))
}

function arrayOf({ items = {}, minItems = 0, maxItems = 3 }: JsonSchema): Json {
  return fc.array(arbitraryOf(items), { minLength: minItems, maxLength: Math.min(maxItems, 3) })
}

function integerOf({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: JsonSchema): Json {
  const near = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 200) })
  return fc.oneof(near, fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
}

function stringOf({ pattern, minLength = 0, maxLength }: JsonSchema): Json {
  const texts = [
    fc.string({ minLength, maxLength: 12 }),
    fc.string({ minLength, maxLength: 12, unit: 'binary' }),
  ]
  const bound =
    maxLength === undefined ? [] : [fc.constantFrom('x', '\u{1f30a}').map((one) => one.repeat(maxLength))]
  if (pattern === undefined) return fc.oneof(...texts, ...bound)
  const matching = fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 })
  const urls = pattern.includes('[Hh][Tt][Tt][Pp]') ? [fc.webUrl({ validSchemes: ['https'] }), ODD_URLS] : []
  const all = pattern === '\\S' ? [...texts, ...bound] : []
  return fc.oneof(matching, ...urls, ...all)
}

/** URLs that match the pattern. */
const ODD_URLS = fc.constantFrom(
  'https://a.example/b?c=d#e',
  'HTTPS://A.example',
  'https://me:secret@a.example/',
  'https://me@a.example/',
  'https://010.8.8.8/',
  'https://0x7f.1/',
  'https://8.8.8.8/',
  'https://[::1',
  'https://a b/',
  'https://%/',
  `https://a.example/${'x'.repeat(5_000)}`,
)
