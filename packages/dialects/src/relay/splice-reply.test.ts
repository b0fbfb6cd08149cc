import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { WELL_ENDED as MESSAGES } from '../../../../test/fixtures/text/messages/fixture.ts'
import { WELL_ENDED as RESPONSES } from '../../../../test/fixtures/text/responses/fixture.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { spliceReply } from './splice-reply.ts'

function splice(dialect: TextEndpoint, json: string) {
  return spliceReply(Buffer.from(json), { dialect, model: 'ours/model' })
}

function bodyOf(dialect: TextEndpoint, json: string): string {
  const reply = splice(dialect, json)
  if (reply.kind === 'failed') throw new Error(reply.failure.message)
  return reply.body.toString('utf8')
}

function fixture(dialect: TextEndpoint, name: string): string {
  return readFileSync(
    new URL(`../../../../test/fixtures/text/${dialect}/${name}.json`, import.meta.url),
    'utf8',
  )
}

const MESSAGE = '{"type":"message","content":[],"stop_reason":"end_turn","model":"theirs"}'

describe('bytes', () => {
  test.each([
    [MESSAGE, MESSAGE.replace('theirs', 'ours/model')],
    ['{"type":"message","content":[]}', '{"type":"message","content":[],"model":"ours/model"}'],
    [
      ' {"type" : "message","content":[{"model":"in","2":1,"1":1e400}] , "model" : "theirs"}\n',
      ' {"type" : "message","content":[{"model":"in","2":1,"1":1e400}] , "model" : "ours/model"}\n',
    ],
  ])('a message %s', (json, expected) => {
    expect(bodyOf('messages', json)).toBe(expected)
  })

  test.each([
    [
      '{"object":"response","status":"completed","model":"theirs","output":[]}',
      '{"object":"response","status":"completed","model":"ours/model","output":[],"output_text":""}',
    ],
    [
      '{"object":"response","status":"completed","output_text":null,"output":[]}',
      '{"object":"response","status":"completed","output_text":"","output":[],"model":"ours/model"}',
    ],
    [
      '{"object":"response","status":"completed","output_text":"kept","output":[],"model":"theirs"}',
      '{"object":"response","status":"completed","output_text":"kept","output":[],"model":"ours/model"}',
    ],
  ])('a response %s', (json, expected) => {
    expect(bodyOf('responses', json)).toBe(expected)
  })

  test('output_text gets the text of all messages in order', () => {
    const message = (...texts: string[]) => ({
      type: 'message',
      content: [...texts.map((text) => ({ type: 'output_text', text })), { type: 'refusal', refusal: 'No.' }],
    })
    const output = [message('a"\n', '日本'), { type: 'function_call', arguments: '{}' }, message('🌊')]
    const json = JSON.stringify({ object: 'response', status: 'completed', output, model: 'theirs' })
    expect(JSON.parse(bodyOf('responses', json))).toMatchObject({ output, output_text: 'a"\n日本🌊' })
  })

  test('random messages keep every byte around the model', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const json = JSON.stringify({ before, type: 'message', content: [], model: 'MARK', after })
        const parts = json.split('"MARK"')
        if (parts.length !== 2) return
        expect(bodyOf('messages', json)).toBe(parts.join('"ours/model"'))
      }),
      runs(500),
    )
  })
})

describe('fixtures', () => {
  test.each(MESSAGES)('messages %s', (name) => {
    const json = fixture('messages', name)
    const { model, ...rest } = JSON.parse(json)
    const { model: ours, ...same } = JSON.parse(bodyOf('messages', json))
    expect(same).toEqual(rest)
    expect([typeof model, ours]).toEqual(['string', 'ours/model'])
  })

  test.each(RESPONSES)('responses %s', (name) => {
    const json = fixture('responses', name)
    const { model, output_text: before, ...rest } = JSON.parse(json)
    const { model: ours, output_text: text, ...same } = JSON.parse(bodyOf('responses', json))
    expect(same).toEqual(rest)
    expect(ours).toBe('ours/model')
    expect(text).toBeTypeOf('string')
    if (typeof before === 'string') expect(text).toBe(before)
  })
})

describe('the usage that is read', () => {
  test('a message: disjoint counts', () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 2,
      output_tokens: 9,
    }
    const content = [
      { type: 'text', text: 'né' },
      { type: 'tool_use', input: { a: 1 } },
    ]
    const json = JSON.stringify({ type: 'message', content, stop_reason: 'tool_use', usage, model: 'x' })
    expect(splice('messages', json)).toMatchObject({
      tokens: { input: 5, cachedInput: 7, cacheWrite: 2, output: 9, reasoning: 0 },
      outputBytes: 3 + 7,
    })
    const uncounted = splice('messages', json.replace('"output_tokens":9', '"output_tokens":0'))
    expect(uncounted).toMatchObject({ tokens: { output: 0 }, outputBytes: 3 + 7 })
  })

  test('a response: cached tokens are subtracted from the input', () => {
    const usage = {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 15 },
      output_tokens: 8,
      output_tokens_details: { reasoning_tokens: 3 },
    }
    const output = [{ type: 'function_call', arguments: '{"a":1}' }]
    const json = JSON.stringify({ object: 'response', status: 'completed', output, usage })
    expect(splice('responses', json)).toMatchObject({
      tokens: { input: 5, cachedInput: 15, cacheWrite: 0, output: 8, reasoning: 3 },
      outputBytes: 7,
    })
    const uncounted = splice('responses', json.replace('"output_tokens":8', '"output_tokens":0'))
    expect(uncounted).toMatchObject({ tokens: { output: 0 }, outputBytes: 7 })
  })

  test.each([
    ['messages', MESSAGE],
    ['responses', '{"object":"response","status":"completed","output":[],"usage":null}'],
  ] as const)('%s without a count: %s', (dialect, json) => {
    expect(splice(dialect, json)).toMatchObject({ kind: 'reply', tokens: undefined })
  })

  test.each(['max_output_tokens', 'content_filter'])('incomplete because of %s', (reason) => {
    const details = JSON.stringify({ reason })
    const json = `{"object":"response","status":"incomplete","incomplete_details":${details},"output":[]}`
    expect(splice('responses', json)).toMatchObject({ kind: 'reply' })
  })
})

describe('no reply', () => {
  test.each([
    ['messages', '', 'broken'],
    ['messages', 'null', 'broken'],
    ['messages', '[]', 'broken'],
    ['messages', '{"type":"message"', 'broken'],
    ['messages', '{"object":"response","output":[]}', 'broken'],
    ['messages', '{"type":"error","error":{"type":"overloaded_error","message":"Busy."}}', 'busy'],
    ['messages', '{"type":"error","error":{"type":"invalid_request_error","message":"Bad."}}', 'refused'],
    ['responses', '<html>', 'broken'],
    ['responses', MESSAGE, 'broken'],
    ['responses', '{"object":"response","status":"in_progress","output":[]}', 'broken'],
    ['responses', '{"error":{"message":"No.","type":"server_error","code":null}}', 'vendor'],
    [
      'responses',
      '{"object":"response","status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"Slow."}}',
      'busy',
    ],
  ] as const)('%s %s', (dialect, json, kind) => {
    expect(splice(dialect, json)).toMatchObject({ kind: 'failed', failure: { kind } })
  })
})
