import { describe, expect, test } from 'vitest'
import { REQUEST } from '../../../../test/fixtures/text/responses/fixture.ts'
import type { Part, TextRequest } from '../canonical/request.ts'
import { countRequest, countText } from './count-tokens.ts'

const WORDS = 'The quick brown fox jumps over the lazy dog, twice a day and three times on Sundays. '.repeat(
  5,
)
const WORDS_TOKENS = countText(WORDS)

function countOf(change: Partial<TextRequest>): number {
  return countRequest({ ...REQUEST, turns: [], ...change })
}

function countPart(part: Part): number {
  return (
    countOf({ turns: [{ role: 'user', parts: [part] }] }) - countOf({ turns: [{ role: 'user', parts: [] }] })
  )
}

function png(width: number, height: number): string {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

describe('a request', () => {
  test('every turn counts a little more than its text', () => {
    const turn = { role: 'user' as const, parts: [{ kind: 'text' as const, text: WORDS }] }
    const one = countOf({ turns: [turn] }) - countOf({})
    expect(one - WORDS_TOKENS).toBeGreaterThan(0)
    expect(one - WORDS_TOKENS).toBeLessThan(10)
    expect(countOf({ turns: [turn, turn] }) - countOf({})).toBe(2 * one)
  })

  test.each([
    ['a refusal', { kind: 'refusal', text: WORDS }],
    ['reasoning', { kind: 'reasoning', text: WORDS, seal: undefined, hidden: false }],
    [
      'a call',
      {
        kind: 'tool-call',
        callId: 'c',
        name: 'f',
        namespace: undefined,
        input: { kind: 'json', text: WORDS },
      },
    ],
    [
      'a result',
      {
        kind: 'tool-result',
        callId: 'c',
        isCustom: false,
        isError: false,
        parts: [{ kind: 'text', text: WORDS }],
      },
    ],
    ['a document of text', { kind: 'document', source: { kind: 'text', text: WORDS }, name: undefined }],
    [
      'a text in base64',
      {
        kind: 'document',
        source: { kind: 'base64', mediaType: 'text/plain', data: btoa(WORDS) },
        name: undefined,
      },
    ],
    ['something unknown', { kind: 'opaque', origin: 'messages', raw: { type: 'x', text: WORDS } }],
  ] satisfies [string, Part][])('%s counts by its text', (_name, part) => {
    expect(countPart(part) - WORDS_TOKENS).toBeGreaterThanOrEqual(0)
    expect(countPart(part) - WORDS_TOKENS).toBeLessThan(15)
  })

  test('hidden reasoning counts by its proof', () => {
    const seal = { provider: 'p', proof: 'x'.repeat(600) }
    expect(countPart({ kind: 'reasoning', text: '', seal, hidden: true })).toBe(100)
  })

  test('tools count with their descriptions and schemas', () => {
    const schema = { type: 'object', properties: { path: { type: 'string', description: WORDS } } }
    const tool = { name: 'read_file', namespace: undefined, description: WORDS }
    const json =
      countOf({ tools: [{ ...tool, input: { kind: 'json', schema, strict: true } }] }) - countOf({})
    expect(json).toBeGreaterThan(2 * WORDS_TOKENS)
    expect(json).toBeLessThan(2 * WORDS_TOKENS + 50)
    const format = { type: 'grammar', definition: WORDS }
    const text = countOf({ tools: [{ ...tool, input: { kind: 'text', format } }] }) - countOf({})
    expect(text).toBeGreaterThan(2 * WORDS_TOKENS)
  })

  test('the schema of the answer counts', () => {
    const format = {
      kind: 'json-schema' as const,
      name: 'a',
      description: WORDS,
      schema: { type: 'object' },
      strict: true,
    }
    expect(countOf({ format }) - countOf({})).toBeGreaterThan(WORDS_TOKENS)
    expect(countOf({ format: { kind: 'json-object' } })).toBe(countOf({}))
  })

  test.each([
    [png(300, 250), 100],
    [png(1, 1), 1],
    [png(4_000, 3_000), 1_600],
    [png(0, 10), 1_600],
    ['AAAA', 1_600],
  ])('an image counts by its size: %.12s', (data, tokens) => {
    const source = { kind: 'base64' as const, mediaType: 'image/png', data }
    expect(countPart({ kind: 'image', source, detail: undefined })).toBe(tokens)
  })

  test('media behind a URL count with the usual size', () => {
    const source = { kind: 'url' as const, url: 'https://example.com/a' }
    expect(countPart({ kind: 'image', source, detail: undefined })).toBe(1_600)
    expect(countPart({ kind: 'document', source, name: undefined })).toBe(2_000)
  })

  test('a PDF counts by its pages, whose number is guessed from its bytes', () => {
    const source = { kind: 'base64' as const, mediaType: 'application/pdf', data: 'A'.repeat(400_000) }
    expect(countPart({ kind: 'document', source, name: undefined })).toBe(6 * 2_000)
  })
})
