import { expect, test } from 'vitest'
import { HEAD } from '../../../../test/fixtures/text/messages/fixture.ts'
import { HI, TARGET, write } from '../../../../test/fixtures/text/messages/request-parts.ts'
import type { TextRequest } from '../canonical/request.ts'
import { writeMessagesRequest } from './write-request.ts'

test('a minimal request', () => {
  expect(write({}).body).toEqual({
    model: 'large-2026',
    max_tokens: 64_000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    stream: true,
  })
})

test("max_tokens is the client's bound up to the catalog's, else the catalog's, else 4,096", () => {
  expect(write({ maxOutputTokens: 100 }).body.max_tokens).toBe(100)
  expect(write({ maxOutputTokens: 1_000_000 }).body.max_tokens).toBe(TARGET.maxOutputTokens)
  const unknown = writeMessagesRequest(
    { ...HEAD.request, turns: HI },
    { ...TARGET, maxOutputTokens: undefined },
  )
  expect(unknown.body).toMatchObject({ max_tokens: 4_096 })
})

test('losses that the reader of the request declared are not declared again', () => {
  expect(write({ losses: ['include'] }).losses).toEqual([])
})

const CLOSED = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }

test('settings', () => {
  const { body, losses } = write({
    stream: false,
    temperature: 0.3,
    topP: 1,
    stopSequences: ['END'],
    userId: 'u-1',
    serviceTier: 'default',
    format: {
      kind: 'json-schema',
      name: 'x',
      description: undefined,
      schema: CLOSED,
      strict: true,
    },
  })
  expect(body).toMatchObject({
    stream: false,
    temperature: 0.3,
    stop_sequences: ['END'],
    metadata: { user_id: 'u-1' },
    service_tier: 'standard_only',
    output_config: { format: { type: 'json_schema', schema: CLOSED } },
  })
  expect(body).not.toHaveProperty('top_p')
  expect(losses).toEqual([])
})

test('the format json-object becomes an instruction in the system prompt', () => {
  expect(write({ format: { kind: 'json-object' } }).body.system).toEqual([
    { type: 'text', text: expect.stringContaining('JSON object'), cache_control: { type: 'ephemeral' } },
  ])
})

test.each([
  { type: 'object', properties: {} },
  { ...CLOSED, properties: { list: { type: 'array', items: { type: 'object' } } } },
])('%j, which this dialect refuses, is put into the system prompt', (schema) => {
  const format = { kind: 'json-schema', name: 'x', description: undefined, schema, strict: true } as const
  const { body, losses } = write({ format })
  expect(body).not.toHaveProperty('output_config')
  expect(body.system[0].text).toMatch(
    new RegExp(`fit this JSON schema:\n${RegExp.escape(JSON.stringify(schema))}$`),
  )
  expect(losses).toEqual(['strict'])
})

test.each<[Partial<TextRequest>, object, string[]]>([
  [{ temperature: 0.3, topP: 0.9 }, { temperature: 0.3 }, ['top_p']],
  [{ temperature: 1, topP: 0.9 }, { top_p: 0.9 }, []],
  [{ temperature: 0.3, topP: 1 }, { temperature: 0.3 }, []],
  [{ temperature: 1 }, { temperature: 1 }, []],
])('of temperature and top_p only one is sent: %j', (sampling, sent, losses) => {
  const { body, losses: lost } = write(sampling)
  expect({ temperature: body.temperature, top_p: body.top_p }).toEqual(sent)
  expect(lost).toEqual(losses)
})

test('the gateway itself stops at blank sequences, which this dialect refuses', () => {
  const { body, unsentStops } = write({ stopSequences: ['\n\n', 'END', ' '] })
  expect(body.stop_sequences).toEqual(['END'])
  expect(unsentStops).toEqual(['\n\n', ' '])
  expect(write({ stopSequences: [' '] }).body).not.toHaveProperty('stop_sequences')
})

const SHAPE = { kind: 'json-schema', name: 'x', schema: {}, strict: true } as const

test.each<[Partial<TextRequest>, string]>([
  [{ verbosity: 'low' }, 'verbosity'],
  [{ format: { ...SHAPE, description: 'What is seen.' } }, 'format_description'],
  [{ metadata: { a: 'b' } }, 'metadata'],
  [{ cacheKey: 'k' }, 'cache_key'],
  [{ serviceTier: 'flex' }, 'service_tier'],
  [{ temperature: 1.5 }, 'temperature'],
])('%j loses %s', (request, loss) => {
  expect(write(request).losses).toEqual([loss])
})

test('a temperature above the range is brought into it', () => {
  expect(write({ temperature: 1.5 }).body.temperature).toBe(1)
})
