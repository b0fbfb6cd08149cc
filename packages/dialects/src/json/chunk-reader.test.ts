import { expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { CHAT_TEXT } from '../chat/read-stream.ts'
import { ChunkReader } from './chunk-reader.ts'
import { isJsonObject } from './json-object.ts'

/** Reads each chunk, and copies it before the next one is read. */
function parsed(...chunks: string[]): unknown[] {
  const reader = new ChunkReader(CHAT_TEXT)
  return chunks.map((chunk) => structuredClone(reader.read(chunk)))
}

function chunkOf(content: unknown, more: object = {}): string {
  return JSON.stringify({
    id: 'c',
    choices: [{ index: 0, delta: { content, ...more }, finish_reason: null }],
  })
}

test.each([
  ['plain pieces', [chunkOf('a'), chunkOf('b'), chunkOf(''), chunkOf('日本 🌊')]],
  ['pieces with escapes', [chunkOf('a'), chunkOf('"quoted" \\ \n'), chunkOf('b'), chunkOf('\u0001')]],
  ['a first piece with escapes', [chunkOf('\n"'), chunkOf('b'), chunkOf('c')]],
  [
    'a member whose value is the name of the text',
    [chunkOf('a', { name: 'content' }), chunkOf('b', { name: 'content' })],
  ],
  ['two members with the name of the text', [chunkOf('a', { logprobs: { content: 'x' } }), chunkOf('b')]],
  ['a text that looks like a chunk', [chunkOf('a'), chunkOf(chunkOf('b')), chunkOf('c')]],
  ['something else than text', [chunkOf('a'), chunkOf(null), chunkOf([{ text: 'b' }]), chunkOf('c')]],
  ['spaces', [chunkOf('a'), chunkOf('b')].map((chunk) => chunk.replaceAll(':', ': ').replaceAll(',', ', '))],
  ['another spelling', ['{"choices":[{"delta":{"c\\u006fntent":"a"}}]}', chunkOf('b'), chunkOf('c')]],
  ['a text in escapes', [chunkOf('a'), chunkOf('?').replace('?', '\\u0041'), chunkOf('b')]],
  ['a chunk that ends in the middle', [chunkOf('a'), chunkOf('b').slice(0, -1), chunkOf('c')]],
  [
    'the member twice, once in escapes',
    ['q', 'r'].map((text) => `{"choices":[{"delta":{"content":"${text}","cont\\u0065nt":"q"}}]}`),
  ],
  [
    'another member with the name of the text, and a space',
    ['x', 'y'].map((text) => `{"choices":[{"delta":{"content" :"x"}}],"note":{"content":"${text}"}}`),
  ],
  [
    'the object around the text twice',
    ['q', 'r'].map(
      (text) => `{"choices":[{"delta":{"content":"${text}"},"d\\u0065lta":{"c\\u006fntent":"q"}}]}`,
    ),
  ],
  ['a quote too many', [chunkOf('a'), chunkOf('b').replace('"b"', '"b","x":"c"'), chunkOf('d')]],
  ['a bare line break', [chunkOf('a'), chunkOf('b').replace('"b"', '"\n"'), chunkOf('d')]],
])('reads as JSON does: %s', (_name, chunks) => {
  expect(parsed(...chunks)).toEqual(chunks.map(parseOrNone))
})

/** An event with this number; `more` may have padding that hides the length of the text. */
function eventOf(delta: unknown, number: unknown, more: object = {}): string {
  return JSON.stringify({ type: 't', sequence_number: number, delta, ...more })
}

test.each([
  ['a number that grows', [8, 9, 10, 0].map((number) => eventOf('a', number))],
  ['padding behind the text', ['x', '', 'xyz'].map((obfuscation) => eventOf('a', 1, { obfuscation }))],
  ['padding with escapes', ['x', '"', 'y\\'].map((obfuscation) => eventOf('a', 1, { obfuscation }))],
  ['a text that looks like the number', ['a', ',"sequence_number":', '1'].map((text) => eventOf(text, 1))],
  ['another kind of value', [1, null, '1', [], 2].map((number) => eventOf('a', number))],
  ['a fraction, a sign, an exponent', [1, 2.5, 3.5, -1, 1e30, 4].map((number) => eventOf('a', number))],
  ['a zero in front', ['1', '02', '0', '3'].map((number) => eventOf('a', 7).replace('7', number))],
  ['no number', ['1', '', '2'].map((number) => eventOf('a', 7).replace('7', number))],
  ['a number that ends the event', ['1', '2'].map((number) => `{"delta":"a","sequence_number":${number}}`)],
  ['an end in the padding', ['x', 'y'].map((text) => eventOf('a', 1, { obfuscation: text }).slice(0, -2))],
])('reads all but the ignored members as JSON does: %s', (_name, chunks) => {
  const ignored = ['sequence_number', 'obfuscation']
  const reader = new ChunkReader({ member: 'delta', holderIn: (event) => event, ignored })
  const withoutIgnored = (event: unknown) =>
    isJsonObject(event) ? { ...event, sequence_number: 0, obfuscation: '' } : event
  const read = chunks.map((chunk) => withoutIgnored(structuredClone(reader.read(chunk))))
  expect(read).toEqual(chunks.map((chunk) => withoutIgnored(parseOrNone(chunk))))
})

test('reads as JSON does: many chunks that also differ outside the text', () => {
  const chunks = Array.from({ length: 30 }, (_, index) => chunkOf('a', { noise: 'x'.repeat(index) }))
  expect(parsed(...chunks, ...chunks)).toEqual([...chunks, ...chunks].map(parseOrNone))
})

test('reads as JSON does: any pieces in any order', () => {
  const content = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', null, '"', '\\'))
  const more = fc.constantFrom({}, { role: 'assistant' }, { content: 'twice' })
  const chunk = fc.tuple(content, more).map(([text, members]) => chunkOf(text, members))
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      expect(parsed(...chunks)).toEqual(chunks.map(parseOrNone))
    }),
    runs(2_000),
  )
})

function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
