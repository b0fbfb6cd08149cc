import { describe, expect, it } from 'vitest'
import { EXACT, json } from '../../../domain/json/json-schema.ts'
import { listFields, typeText } from './list-fields.ts'

describe('listFields', () => {
  it('lists fields with their place, outer before inner', () => {
    const schema = json.object({
      object: json.literal('list'),
      data: json.array(json.object({ id: json.string({ description: 'Its name.' }) })),
      next: json.optional(json.object({ cursor: json.string() })),
    })
    expect(listFields(schema)).toEqual([
      { name: 'object', type: '"list"', required: true, description: '' },
      { name: 'data', type: 'array of object', required: true, description: '' },
      { name: 'data[].id', type: 'string', required: true, description: 'Its name.' },
      { name: 'next', type: 'object', required: false, description: '' },
      { name: 'next.cursor', type: 'string', required: true, description: '' },
    ])
  })

  it('lists the fields of objects of several kinds once, required where every kind requires them', () => {
    const schema = json.array(
      json.byType({
        text: { text: json.string(), role: json.nullish(json.string()) },
        image: { url: json.string(), role: json.nullish(json.string()) },
      }),
    )
    expect(listFields(schema)).toEqual([
      { name: '[].type', type: '"text" or "image"', required: true, description: '' },
      { name: '[].text', type: 'string', required: false, description: '' },
      { name: '[].role', type: 'string', required: false, description: '' },
      { name: '[].url', type: 'string', required: false, description: '' },
    ])
  })

  it('does not show null for an optional field', () => {
    const schema = json.object({
      count: json.nullish(json.integer({ minimum: 1 })),
      word: json.nullish(json.oneOf(['a', 'b'])),
      text: json.nullish({ anyOf: [json.string(), json.boolean()] }),
      next: json.nullable(json.string()),
    })
    expect(listFields(schema).map(({ name, type }) => [name, type])).toEqual([
      ['count', 'integer, 1 or more'],
      ['word', '"a" or "b"'],
      ['text', 'string or boolean'],
      ['next', 'string or null'],
    ])
  })

  it('has nothing to list for a plain value', () => {
    expect(listFields(json.string())).toEqual([])
    expect(listFields(undefined)).toEqual([])
  })

  it('ends on a schema that contains itself', () => {
    const endless: Record<string, unknown> = { type: 'object' }
    endless.properties = { inner: endless }
    expect(listFields(endless).at(-1)?.name).toBe('inner.inner.inner.inner')
  })
})

describe('typeText', () => {
  it('describes a schema in a few words', () => {
    expect(typeText(json.integer({ minimum: 0, default: 20 }))).toBe('integer, 0 or more, default 20')
    expect(typeText(json.number({ minimum: 0, maximum: 1 }))).toBe('number, 0 to 1')
    expect(typeText(json.string({ maxLength: 64, format: 'uri' }))).toBe('string, uri, at most 64 characters')
    expect(typeText(json.nullable(json.string()))).toBe('string or null')
    expect(typeText(json.integer(EXACT))).toBe('integer')
    expect(typeText({ enum: ['a', 'b'] })).toBe('"a" or "b"')
    expect(typeText(json.array(json.anything()))).toBe('array')
    expect(typeText(json.array(json.string(), { minItems: 1, maxItems: 9 }))).toBe(
      'array of string, 1 to 9 items',
    )
    expect(typeText(json.array(json.string(), { maxItems: 9 }))).toBe('array of string, at most 9 items')
    expect(typeText(json.array(json.string(), { minItems: 2 }))).toBe('array of string, 2 or more items')
    expect(typeText({})).toBe('any value')
  })
})
