import { describe, expect, test } from 'vitest'
import { TARGET, write } from '../../../../test/fixtures/text/responses/request-parts.ts'
import type { ReasoningOptions } from '../canonical/request.ts'
import { fitsStrict } from '../tools/strictness-of.ts'

test('settings are carried', () => {
  const { body, losses } = write({
    stream: true,
    temperature: 0.3,
    topP: 0.5,
    verbosity: 'low',
    userId: 'u'.repeat(70),
    serviceTier: 'flex',
    metadata: { a: 'b' },
    cacheKey: 'key',
    stopSequences: ['STOP'],
  })
  expect(body).toMatchObject({
    stream: true,
    temperature: 0.3,
    top_p: 0.5,
    text: { verbosity: 'low' },
    safety_identifier: 'u'.repeat(64),
    service_tier: 'flex',
    metadata: { a: 'b' },
    prompt_cache_key: 'key',
  })
  expect(JSON.stringify(body)).not.toContain('STOP')
  expect(losses).toEqual([])
})

test('the defaults of temperature and top_p are not sent, because models that reason refuse both fields', () => {
  const { body } = write({ temperature: 1, topP: 1 })
  expect(body).not.toHaveProperty('temperature')
  expect(body).not.toHaveProperty('top_p')
})

test('the gateway handles stop sequences', () => {
  const { body, unsentStops, losses } = write({ stopSequences: ['a', 'b'] })
  expect(body).not.toHaveProperty('stop')
  expect(unsentStops).toEqual(['a', 'b'])
  expect(losses).toEqual([])
})

test.each([
  [undefined, undefined],
  [1, 16],
  [4_000, 4_000],
  [200_000, 100_000],
])('a bound of %j tokens is sent as %j', (wanted, sent) => {
  const { body, losses } = write({ maxOutputTokens: wanted })
  expect(body.max_output_tokens).toBe(sent)
  expect(losses).toEqual(wanted === 1 ? ['max_tokens'] : [])
})

test.each([
  ['auto', 'auto', []],
  ['standard_only', 'default', []],
  ['gold', undefined, ['service_tier']],
])('the tier %s is sent as %j', (tier, sent, losses) => {
  const written = write({ serviceTier: tier })
  expect(written.body.service_tier).toBe(sent)
  expect(written.losses).toEqual(losses)
})

describe('reasoning', () => {
  const options = (more: Partial<ReasoningOptions>): ReasoningOptions => ({
    effort: undefined,
    budgetTokens: undefined,
    summary: undefined,
    wantsSeal: false,
    ...more,
  })

  test.each([
    [options({ effort: 'max', summary: 'auto' }), { effort: 'max', summary: 'auto' }],
    [options({ effort: 'low', budgetTokens: 60_000 }), { effort: 'low' }],
    [options({ budgetTokens: 0 }), undefined],
    [options({ budgetTokens: 1_024, summary: 'none' }), { effort: 'low' }],
    [options({ budgetTokens: 4_097 }), { effort: 'medium' }],
    [options({ budgetTokens: 16_385 }), { effort: 'high' }],
    [options({ effort: 'none', summary: 'auto' }), { effort: 'none' }],
    [options({ summary: 'detailed' }), { summary: 'detailed' }],
    [options({}), undefined],
  ])('%j', (reasoning, sent) => {
    const { body } = write({ reasoning })
    expect(body.reasoning).toEqual(sent)
    expect(body).not.toHaveProperty('include')
  })

  test('is not requested from a model that has none', () => {
    const reasoning = options({ effort: 'high', summary: 'auto', wantsSeal: true })
    const { body, losses } = write({ reasoning }, { ...TARGET, reasons: false })
    expect(body).not.toHaveProperty('reasoning')
    expect(body).not.toHaveProperty('include')
    expect(losses).toEqual(['reasoning_effort'])
  })

  test('has a seal when the client wants it', () => {
    expect(write({ reasoning: options({ wantsSeal: true }) }).body.include).toEqual([
      'reasoning.encrypted_content',
    ])
  })
})

describe('structured output', () => {
  const closed = {
    type: 'object',
    properties: { a: { type: 'array', items: { $ref: '#/$defs/b' } } },
    required: ['a'],
    additionalProperties: false,
    $defs: { b: { type: 'object', properties: {}, additionalProperties: false } },
  }
  const format = (schema: object, more: object = {}) =>
    write({
      format: {
        kind: 'json-schema',
        name: undefined,
        description: undefined,
        schema,
        strict: undefined,
        ...more,
      },
    }).body.text.format

  test('gets a name, and is strict if the schema allows it', () => {
    expect(format(closed)).toEqual({ type: 'json_schema', name: 'reply', schema: closed, strict: true })
    expect(format({ type: 'object' }, { name: 'my shape!', description: 'Mine.' })).toEqual({
      type: 'json_schema',
      name: 'my_shape_',
      description: 'Mine.',
      schema: { type: 'object' },
      strict: false,
    })
    expect(format(closed, { strict: false }).strict).toBe(false)
    expect(write({ format: { kind: 'json-object' } }).body.text).toEqual({ format: { type: 'json_object' } })
  })

  test.each([
    [true, closed],
    [true, { type: 'string' }],
    [false, { type: 'object', properties: { a: {} }, additionalProperties: false }],
    [false, { anyOf: [closed, { type: ['object', 'null'] }] }],
    [false, { ...closed, $defs: { b: { properties: {} } } }],
  ])('strict %j: %j', (fits, schema) => {
    expect(fitsStrict(schema)).toBe(fits)
  })
})
