import { expect, test } from 'vitest'
import { countBody } from '../count/count-tokens.ts'
import { parseExact } from '../json/parse-exact.ts'
import { fitsStrict } from '../tools/strictness-of.ts'
import { keepNumbers } from './keep-numbers.ts'

const ID = '1234567890123456789'

function kept(json: string): string {
  return JSON.stringify(keepNumbers(JSON.parse(json), Buffer.from(json)))
}

/** Enough text to make a body large. */
const PADDING = `"padding":"${'words '.repeat(50_000)}"`

test.each([
  ['the input of a call', `{"messages":[{"content":[{"type":"tool_use","input":{"id":${ID}}}]}]}`],
  ['arguments that are an object', `{"tool_calls":[{"function":{"arguments":{"ids":[1,${ID}]}}}]}`],
  ['a schema of a tool', `{"tools":[{"input_schema":{"properties":{"id":{"maximum":${ID}}}}}]}`],
  ['a schema of a function', `{"tools":[{"tools":[{"parameters":{"maximum":${ID}}}]}]}`],
  ['a schema of a format', `{"text":{"format":{"schema":{"const":${ID}}}}}`],
  ['a number beyond all numbers', '{"input":{"a":-1e400}}'],
  ['a fraction of many digits', '{"input":{"a":0.1234567890123456789}}'],
])('%s keeps its numbers, also in a large body', (_name, json) => {
  expect(kept(json)).toBe(json)
  const large = json.replace('{', `{${PADDING},`)
  expect(kept(large)).toBe(large)
})

test('a fraction that parsing would shorten is kept in a small body', () => {
  const json = '{"input":{"a":1.000000000000000001,"b":1e-400}}'
  expect(kept(json)).toBe(json)
})

test('all other numbers are plain', () => {
  const json = `{"temperature":0.30000000000000001,"input":{"id":${ID}},"list":[1e400],"tool":{"input":${ID}}}`
  expect(keepNumbers(JSON.parse(json), json)).toMatchObject({
    temperature: 0.3,
    list: [Number.POSITIVE_INFINITY],
    tool: { input: Number(ID) },
  })
})

test.each([
  ['no number is handed on', `{"max_tokens":1,"input":"${ID}","text":"${ID}","id":${ID}}`],
  ['the numbers are short', '{"input":{"a":1,"b":[0.5,1e21]},"tools":[{"input_schema":{"minimum":0}}]}'],
])('where %s, the value is the same', (_name, json) => {
  const value = JSON.parse(json)
  expect(keepNumbers(value, json)).toBe(value)
})

test('the text is not searched when no forwarded object has a number', () => {
  const json = {
    length: 10,
    toString(): string {
      throw new Error('looked')
    },
  }
  const value = { max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], tools: [{ input_schema: {} }] }
  expect(keepNumbers(value, json)).toBe(value)
})

test('a number that keeps its spelling is not a schema', () => {
  const schema = `{"type":"array","items":${ID},"properties":${ID}}`
  expect(fitsStrict(parseExact(schema))).toBe(fitsStrict(JSON.parse(schema)))
  const closed = `{"type":"object","additionalProperties":false,"properties":{"id":{"type":"integer","maximum":${ID}}},"required":["id"]}`
  expect(fitsStrict(parseExact(closed))).toBe(true)
})

test('a number that keeps its spelling is not an image', () => {
  const json = `{"input":{"a":${'1'.repeat(9_000)}}}`
  const bytes = { length: json.length }
  expect(countBody({ bytes, value: Object(parseExact(json)) })).toEqual(
    countBody({ bytes, value: Object(JSON.parse(json)) }),
  )
})
