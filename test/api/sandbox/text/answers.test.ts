import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { openVendors } from '../open-vendors.ts'
import { askText, DIALECTS, type Question, type TextDialectName, type Understood } from '../text-clients.ts'

const TOOLS = [
  { name: 'look_up', schema: { properties: { city: { type: 'string' } }, required: ['city'] } },
  { name: 'add', schema: { properties: { a: { type: 'integer' } }, required: ['a'] } },
]

const CASES: readonly (readonly [TextDialectName, boolean])[] = DIALECTS.flatMap((dialect) =>
  [false, true].map((stream) => [dialect, stream] as const),
)

describe.each(CASES)('%s, stream %s', (dialect, stream) => {
  const ask = async (prompt: string, more: Partial<Question> = {}): Promise<Understood> =>
    askText(await openVendors(), dialect, { prompt, stream, ...more })
  const end = (messages: string, responses: string, chat: string) => ({ messages, responses, chat })[dialect]

  it('repeats what was said', async () => {
    expect(await ask('Grüße, 世界 👋🏽!')).toEqual({
      text: 'You said: Grüße, 世界 👋🏽!',
      reasoning: '',
      refusal: '',
      calls: [],
      end: end('end_turn', 'completed', 'stop'),
      usage: { input: expect.any(Number), cached: 0, output: 7 },
    })
  })

  it('counts, fills and can be silent', async () => {
    expect(await ask('[count 4]')).toMatchObject({ text: '1 2 3 4' })
    expect(await ask('[words 3]')).toMatchObject({ text: 'word word word' })
    expect((await ask('[long 3]')).text).toHaveLength(3 * 1_024)
    expect(await ask('[empty]')).toMatchObject({ text: '', calls: [] })
  })

  it('reasons first', async () => {
    expect(await ask('four [reason]')).toMatchObject({
      reasoning: 'The user said 4 characters. I shall answer briefly.',
      text: 'You said: four',
    })
  })

  it('calls the tools it is told to', async () => {
    const prompt = '[call look_up {"city":"Z[ü]rich }"}] [call add {"a":1}] [call nothing]'
    const both = [
      { name: 'look_up', input: { city: 'Z[ü]rich }' } },
      { name: 'add', input: { a: 1 } },
    ]
    expect(await ask(prompt, { tools: TOOLS })).toMatchObject({
      text: '',
      calls: both,
      end: end('tool_use', 'completed', 'tool_calls'),
    })
    expect((await ask(`${prompt} [interleave]`, { tools: TOOLS })).calls).toEqual(both)
    expect((await ask(prompt, { tools: TOOLS, single: true })).calls).toEqual(both.slice(0, 1))
    expect((await ask(prompt)).calls).toEqual([])
  })

  it('calls a tool that is forced, with an input that fits', async () => {
    expect((await ask('hello', { tools: TOOLS, force: 'add' })).calls).toEqual([
      { name: 'add', input: { a: 1 } },
    ])
  })

  it('gives JSON that fits the schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { enum: ['b', 'a'] },
        list: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 2 },
        maybe: { anyOf: [{ type: 'number', minimum: 3 }, { type: 'null' }] },
      },
      required: ['kind', 'list', 'maybe'],
      additionalProperties: false,
      $defs: { item: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
    }
    const value: unknown = JSON.parse((await ask('go', { schema })).text)
    expect(new Ajv().compile(schema)(value)).toBe(true)
    expect(value).toEqual({ kind: 'b', list: [{ on: true }, { on: true }], maybe: 3 })
  })

  it('stops at its limit', async () => {
    expect(await ask('[words 40]', { maxTokens: 16 })).toMatchObject({
      text: 'word word word word word word word word word word word word word',
      end: end('max_tokens', 'max_output_tokens', 'length'),
      usage: { output: 16 },
    })
  })

  it('stops at a stop sequence if the dialect has them', async () => {
    expect(await ask('one two three', { stop: ['three', 'two'] })).toMatchObject({
      text: dialect === 'responses' ? 'You said: one two three' : 'You said: one ',
      end: end('stop_sequence', 'completed', 'stop'),
    })
  })

  it('refuses, and is filtered', async () => {
    expect(await ask('[refuse]')).toMatchObject({
      refusal: 'I cannot help with that.',
      end: end('refusal', 'completed', 'stop'),
    })
    expect(await ask('x [filter]')).toMatchObject({
      text: 'You said: x',
      end: end('refusal', 'content_filter', 'content_filter'),
    })
  })

  it('counts the tokens of its input and its output', async () => {
    expect((await ask('12345678')).usage).toEqual({ input: 2, cached: 0, output: 5 })
    expect((await ask('[cached 7000]')).usage).toMatchObject({ input: 7_004, cached: 7_000 })
  })
})
