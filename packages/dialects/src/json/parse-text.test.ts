import { expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { countValues, type Unstorable } from './json-bounds.ts'
import { parseText } from './parse-text.ts'

const LONG_BYTES = 16 * 1024

function parse(json: string, offset = 0, nul: Unstorable = 'pass'): unknown {
  // A body may begin anywhere in its buffer.
  const bytes = Buffer.from(' '.repeat(offset) + json).subarray(offset)
  const longStrings: number[] = []
  countValues(bytes, { depthMax: 64, valuesMax: 1_000, nul, longStrings })
  return parseText(bytes, longStrings)
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    return { isSyntaxError: error instanceof SyntaxError }
  }
}

const image = 'iVBORw0KGgo+/A9'.repeat(1_200)

test('an image and everything around it are unchanged', () => {
  const body = { model: 'm', content: [{ data: image }, `data:image/png;base64,${image}`, 'é', 1.5, null] }
  expect(parse(JSON.stringify(body))).toEqual(body)
  expect(parse(JSON.stringify(image))).toBe(image)
})

test.each<[string, string]>([
  ['an escape', `["${image}\\n"]`],
  ['an escaped quote', `["\\"${image}"]`],
  ['other characters', `["${image}日本"]`],
  ['a text like a placeholder beside it', `["${image}","\u00800"]`],
  ['an escaped text like a placeholder', `["${image}","\\u00800","x"]`],
  ['a text that contains a placeholder', `["${image}","a\u00800"]`],
  ['a name', `{"${image}":1,"${image}x" \n:"${image}"}`],
  ['the same name twice', `{"a":"${image}","a":"${image}b"}`],
  ['__proto__', `{"__proto__":"${image}","b":{"__proto__":{"a":"${image}"}}}`],
  ['DEL', `["${image}\u007f"]`],
])('a long string with %s is what JSON.parse makes of it', (_what, json) => {
  expect(parse(json)).toEqual(JSON.parse(json))
})

test.each([0x00, 0x09, 0x0a, 0x1f])(
  'a control character (%i) anywhere in a long string is refused',
  (code) => {
    const character = String.fromCharCode(code)
    for (let at = 0; at < 9; at += 1)
      for (const place of [at, image.length - at])
        expect(() => parse(`["${image.slice(0, place)}${character}${image.slice(place)}"]`, at)).toThrow(
          SyntaxError,
        )
  },
)

test('a body that is cut off is refused', () => {
  const json = JSON.stringify({ a: image, b: [image] })
  for (const length of [1, 5, 6, LONG_BYTES, image.length + 6, json.length - 2, json.length - 1])
    expect(() => parse(json.slice(0, length))).toThrow(SyntaxError)
})

test('random bodies give the value of JSON.parse, or are refused too', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      image,
      image.slice(0, LONG_BYTES),
      image.slice(0, LONG_BYTES - 1),
      '',
      'a',
      '\u0080',
      '\u00800',
    ),
    fc.constantFrom(
      '\\u0080',
      '\\n',
      '\\"',
      '\\\\',
      '\n',
      '\u001f',
      'é',
      '\ud800',
      '\u{1f30a}',
      '0',
      '"',
      '\\',
    ),
  )
  const string = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`)
  const scalar = fc.oneof({ weight: 4, arbitrary: string }, fc.constantFrom('1', 'null', '[]', '{}', ''))
  const member = fc.tuple(string, fc.constantFrom(':', ' : ', '\n:'), scalar).map((parts) => parts.join(''))
  const body = fc.oneof(
    fc.array(scalar, { maxLength: 5 }).map((values) => `[${values.join(',')}]`),
    fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(', ')}}`),
  )
  fc.assert(
    fc.property(body, fc.nat(5), fc.constantFrom('pass', 'refuse'), (raw, offset, nul) => {
      // The input is UTF-8, which has no lone surrogates.
      const json = Buffer.from(raw).toString('utf8')
      expect(outcomeOf(() => parse(json, offset, nul))).toEqual(outcomeOf(() => JSON.parse(json)))
    }),
    runs(1_000),
  )
})
