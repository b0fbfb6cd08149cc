import { expect, test } from 'vitest'
import { ReplyScanner } from './reply-scanner.ts'
import { spliceBytes } from './splice-bytes.ts'

const REPLY = {
  id: 'chatcmpl-1',
  model: 'gpt-"x',
  choices: [
    {
      message: { content: 'say "a\\b" 世界', tool_calls: [{ function: { arguments: '{"x":1}' } }] },
      logprobs: { content: [{ token: 'say', top_logprobs: [{ token: '"' }] }] },
    },
  ],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
  nothing: null,
  created: 17,
}

function scan(json: string, cutAt: number, model?: string) {
  const bytes = Buffer.from(json)
  const scanner = new ReplyScanner(model === undefined ? {} : { model })
  const pieces = [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]
  const passed = pieces.map((piece) => spliceBytes(piece, scanner.push(piece)))
  return { scanner, passed: Buffer.concat(passed).toString() }
}

test('only the model is changed in a reply with too many members', () => {
  const members = Array.from({ length: 100 }, (_, at) => `"k${at}":${at}`).join(',')
  const { scanner, passed } = scan(`{${members},"model":"theirs","usage":{"a":1}}`, 400, 'ours')
  expect(passed).toBe(`{${members},"model":"ours","usage":{"a":1}}`)
  expect(Object.keys(scanner.outline)).toHaveLength(64)
  expect(scanner.isWhole).toBe(true)
})

test('members, text length and model of a reply are found in pieces of any size', () => {
  const json = JSON.stringify(REPLY)
  const words = Buffer.byteLength(JSON.stringify('say "a\\b" 世界') + JSON.stringify('{"x":1}')) - 4
  for (let cutAt = 0; cutAt <= Buffer.byteLength(json); cutAt += 1) {
    const { scanner, passed } = scan(json, cutAt, 'vendorC/m')
    expect(passed).toBe(JSON.stringify({ ...REPLY, model: 'vendorC/m' }))
    expect(scanner).toMatchObject({ outline: REPLY, outputBytes: words, isWhole: true, isOther: false })
  }
})

test('the input of a call is counted as its JSON text, whatever the size of the pieces', () => {
  const input = { path: 'a.txt', content: 'say "a" 世界', list: [{ text: 'b' }, 1], input: {} }
  const message = {
    tools: [{ input_schema: { properties: { input: { type: 'string' } } } }],
    content: [
      { type: 'text', text: 'Four' },
      { type: 'tool_use', id: 't', name: 'f', input },
      { type: 'tool_use', id: 'u', name: 'g', input: {} },
    ],
  }
  const json = JSON.stringify(message)
  const words = 4 + Buffer.byteLength(JSON.stringify(input)) + 2
  for (let cutAt = 0; cutAt <= Buffer.byteLength(json); cutAt += 1)
    expect(scan(json, cutAt).scanner).toMatchObject({ outputBytes: words, isWhole: true })
})

test('a large member is empty in the outline', () => {
  const large = { choices: [{ text: 'x'.repeat(70_000) }], note: 'x'.repeat(70_000), object: { a: [REPLY] } }
  const { scanner } = scan(JSON.stringify({ ...large, more: { list: Array(40_000).fill(1) } }), 30_000)
  expect(scanner.outline).toEqual({ choices: [], note: '', object: { a: [REPLY] }, more: {} })
  expect(scanner.isWhole).toBe(true)
})

test.each([
  ['{}', '{"model":"m"}'],
  [' {"a":1 } ', ' {"a":1 ,"model":"m"} '],
  ['{"\\u006dodel" : null,"b":2}', '{"\\u006dodel" :"m","b":2}'],
])('a reply without a model name gets one, in any spelling: %s', (json, named) => {
  expect(scan(json, 3, 'm').passed).toBe(named)
})

test.each([['[1]'], ['"text"'], ['<html>']])(
  'a reply that is not an object is recognized by its beginning: %s',
  (json) => {
    expect(scan(json, 1).scanner).toMatchObject({ isOther: true, isWhole: false })
  },
)

test('a reply that was cut off is not whole', () => {
  expect(scan('{"a":[1,2', 4).scanner.isWhole).toBe(false)
})
