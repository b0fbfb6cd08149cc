import { expect, test } from 'vitest'
import { arbitraryText } from '../../../../test/fixtures/text/arbitrary-text.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { createTextInput } from './text-input.ts'

function read(pieces: readonly string[]): string[] {
  const input = createTextInput()
  return [...pieces.map((piece) => input.push(piece)), input.end()]
}

test('text is shown while it arrives', () => {
  expect(read(['{"inp', 'ut": "one', ' two\\', 'n\\u6C', '34"', '}'])).toEqual([
    '',
    'one',
    ' two',
    '\n',
    '水',
    '',
    '',
  ])
})

test('both halves of a surrogate pair are shown together', () => {
  expect(read(['{"input":"\\ud83c', '\\udf0a"}'])).toEqual(['', '\u{1F30A}', ''])
  expect(read(['{"input":"a\ud83c', '\udf0a"}'])).toEqual(['a', '\u{1F30A}', ''])
})

test.each<[what: string, json: string, text: string]>([
  ['spaces anywhere', ' {\n "input" : "a" , "x": 1 }', 'a'],
  ['every escape', '{"input":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"}', '"\\/\b\f\n\r\tA'],
  ['line ends left as they are', '{"input":"a\nb"}', 'a\nb'],
  ['an escape of a character that needs none', '{"input":"\\$x"}', '$x'],
  ['text cut short', '{"input":"abc', 'abc'],
  ['text cut short within an escape', '{"input":"abc\\u00', 'abc'],
  ['no text', '{"input":""}', ''],
  ['nothing', '', ''],
  ['the text behind something else', '{"note":"x","input":"a"}', 'a'],
  ['another member alone', '{"patch":"a"}', '{"patch":"a"}'],
  ['a bare string', '"a"', 'a'],
  ['text that is no JSON', '*** Begin Patch', '*** Begin Patch'],
  ['an input that is no text', '{"input":{"a":1}}', '{"input":{"a":1}}'],
  ['something long that is no JSON', 'x'.repeat(300), 'x'.repeat(300)],
])('%s', (_what, json, text) => {
  expect(read([json]).join('')).toBe(text)
  expect(read([...json]).join('')).toBe(text)
})

test('any text in any pieces is restored unchanged', () => {
  fc.assert(
    fc.property(arbitraryText(), fc.integer({ min: 1, max: 9 }), fc.boolean(), (text, size, isEscaped) => {
      const plain = JSON.stringify({ input: text })
      const json = isEscaped
        ? plain.replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
        : plain
      const pieces: string[] = []
      for (let at = 0; at < json.length; at += size) pieces.push(json.slice(at, at + size))
      const shown = read(pieces)
      expect(shown.join('')).toBe(text)
      for (const piece of shown) expect(piece.isWellFormed()).toBe(true)
    }),
    runs(1_000),
  )
})
