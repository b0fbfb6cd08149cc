import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { fitSchema } from './fit-schema.ts'

const tree = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    left: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    more: { type: 'array', items: { $ref: '#' } },
  },
  required: ['name', 'left', 'more'],
}

it.each<[object]>([
  [{ type: 'string' }],
  [{ type: 'string', minLength: 9, maxLength: 9 }],
  [{ type: 'string', maxLength: 2 }],
  [{ type: ['null', 'integer'], minimum: -3, maximum: -2 }],
  [{ type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }],
  [{ type: 'number', exclusiveMaximum: 0 }],
  [{ type: 'number', minimum: 0.2, maximum: 0.3 }],
  [{ const: { a: 1 } }],
  [{ enum: [null, 1] }],
  [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }],
  [
    {
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    },
  ],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 }],
  [{ type: 'array', items: { type: 'string' }, maxItems: 0 }],
  [{ properties: { a: { $ref: '#/$defs/a~1b' } }, required: ['a'], $defs: { 'a/b': { type: 'integer' } } }],
  [
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { enum: ['x'] } } } },
      additionalProperties: false,
    },
  ],
  [tree],
])('%j', (schema) => {
  const validate = new Ajv({ strict: false }).compile(schema)
  const value: unknown = JSON.parse(JSON.stringify(fitSchema(schema)))
  expect([value, validate(value), validate.errors]).toEqual([value, true, null])
})

it('fills optional members when none is required', () => {
  expect(fitSchema({ properties: { a: { type: 'string' }, b: { type: 'boolean' } } })).toEqual({
    a: 'text',
    b: true,
  })
})

it.each([
  ['date-time', '2030-01-02T03:04:05Z'],
  ['email', 'someone@example.com'],
  ['odd', 'text'],
])('knows the format %s', (format, text) => {
  expect(fitSchema({ type: 'string', format })).toBe(text)
})
