import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { isJsonObject } from './json/json-object.ts'
import { readVendorErrorFields } from './vendor-error-fields.ts'

const hides = ['vendor.example', 'plainword']
const inMessages = (error: unknown) => readVendorErrorFields({ type: 'error', error }, 'messages', { hides })
const inResponses = (error: unknown) => readVendorErrorFields({ error }, 'responses', { hides })

describe('the details of a vendor of messages', () => {
  test.each<[what: string, details: unknown, reported: unknown]>([
    [
      'pass as they are',
      { error_code: 'thread_not_found', unsupported: null, n: 1.5, ok: true },
      { error_code: 'thread_not_found', unsupported: null, n: 1.5, ok: true },
    ],
    ['pass with lists and objects', { a: ['x', { b: [] }], c: '' }, { a: ['x', { b: [] }], c: '' }],
    [
      'lose our secrets',
      { at: 'https://vendor.example/v1', a: ['PLAINWORD'] },
      { at: 'https://…/v1', a: ['…'] },
    ],
    ['lose keys', { hint: 'not sk-proj-abCD1234efGH5678' }, { hint: 'not …' }],
    ['lose control characters', { hint: 'two\r\nlines' }, { hint: 'two lines' }],
    ['lose names that are no plain words', { 'a b': 1, plainword: 2, 'a.b': 3 }, { 'a.b': 3 }],
    [
      'keep a name such as __proto__',
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1}}'),
    ],
    ['pass at 2 KB', { a: numbers(2_048) }, { a: numbers(2_048) }],
    ['are left out beyond 2 KB', { a: numbers(2_049) }, undefined],
    ['are left out beyond 2 KB of bytes', { a: '水'.repeat(800) }, undefined],
    ['are left out as a list', [{ error_code: 'x' }], undefined],
    ['are left out as text', 'thread_not_found', undefined],
    ['are left out as null', null, undefined],
  ])('%s', (_, details, reported) => {
    expect(inMessages({ type: 'invalid_request_error', message: 'No.', details })).toEqual(
      reported === undefined ? {} : { details: reported },
    )
  })

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s nested 30,000 deep are left out without a stack overflow', (_, opening, closing) => {
    const deep: unknown = JSON.parse(`${opening.repeat(30_000)}0${closing.repeat(30_000)}`)
    expect(inMessages({ details: { deep } })).toEqual({})
  })

  test('are the only fields that are read', () => {
    expect(inMessages({ code: 'x', param: 'y', details: { a: 1 } })).toEqual({ details: { a: 1 } })
  })
})

describe('code and param of a vendor of responses', () => {
  test.each<[error: unknown, reported: object]>([
    [
      { code: 'invalid_encrypted_content', param: 'input[1].content', message: 'No.' },
      { code: 'invalid_encrypted_content', param: 'input[1].content' },
    ],
    [{ code: null, param: null }, {}],
    [{ code: 'two words', param: 'tools[0].name' }, { param: 'tools[0].name' }],
    [{ code: 400, param: 7 }, {}],
    [{ code: 'x'.repeat(81), param: 'x'.repeat(201) }, {}],
    [{ code: 'plainword', param: 'at vendor.example' }, {}],
    [{ code: 'sk-proj-abCD1234efGH5678', param: 'sk-proj-abCD1234efGH5678' }, {}],
    [{ code: 'x', param: 'a\nb' }, { code: 'x' }],
    [{ code: '', param: '' }, {}],
    [{ details: { error_code: 'x' } }, {}],
    ['words', {}],
    [null, {}],
  ])('%j has the fields %j', (error, reported) => {
    expect(inResponses(error)).toEqual(reported)
  })
})

test('any error is read without an exception, and the result is small', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('messages', 'responses'), (error, dialect) => {
      for (const body of [error, { error }, { error: { code: error, param: error, details: error } }]) {
        const reported = readVendorErrorFields(body, dialect)
        expect(JSON.stringify(reported).length).toBeLessThan(3_000)
        if (reported.details !== undefined) expect(isJsonObject(reported.details)).toBe(true)
      }
    }),
  )
})

/** A list of digits that makes `{"a":...}` this long. */
function numbers(bytes: number): number[] {
  const list: number[] = Array.from({ length: Math.floor((bytes - 7) / 2) }, () => 1)
  return list.with(0, 10 ** (bytes - JSON.stringify({ a: list }).length))
}
