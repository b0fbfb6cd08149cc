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

test('settings', () => {
  const { body, losses } = write({
    stream: false,
    temperature: 0.3,
    topP: 0.9,
    stopSequences: ['END'],
    userId: 'u-1',
    serviceTier: 'default',
    format: {
      kind: 'json-schema',
      name: 'x',
      description: undefined,
      schema: { type: 'object' },
      strict: true,
    },
  })
  expect(body).toMatchObject({
    stream: false,
    temperature: 0.3,
    top_p: 0.9,
    stop_sequences: ['END'],
    metadata: { user_id: 'u-1' },
    service_tier: 'standard_only',
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
  })
  expect(losses).toEqual([])
})

test('the format json-object becomes an instruction in the system prompt', () => {
  expect(write({ format: { kind: 'json-object' } }).body.system).toEqual([
    { type: 'text', text: expect.stringContaining('JSON object'), cache_control: { type: 'ephemeral' } },
  ])
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
