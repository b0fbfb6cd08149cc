import { expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { serializeBody } from './serialize-body.ts'

const IMAGE = Buffer.from(Uint8Array.from({ length: 90_000 }, (_, index) => (index * 7) % 251)).toString(
  'base64',
)
const LARGE = 1024 * 1024

test.each([
  ['nothing long', { text: 'short', list: [1, null, true, { é: '日本 🌊' }] }],
  ['an image', { image: IMAGE }],
  ['an image as a URL', { url: `data:image/png;base64,${IMAGE}`, text: 'é' }],
  [
    'several, with text between',
    { list: [IMAGE, { text: '"quoted" \\ \n' }, `data:image/png;base64,${IMAGE}`] },
  ],
  ['an image with one byte of padding', { image: `${IMAGE}AAA=` }],
  ['an image with two', { image: `${IMAGE}AA==` }],
  ['padding in the middle', { image: `AA==${IMAGE}` }],
  ['lines', { image: IMAGE.replace(/.{76}/g, '$&\r\n') }],
  ['four quotes in the middle', { image: `${IMAGE.slice(0, 400)}""""${IMAGE.slice(400)}` }],
  ['base64 for URLs', { image: IMAGE.replaceAll('+', '-').replaceAll('/', '_') }],
  ['long text', { text: 'a "word" \\ \u0000 '.repeat(9_000) }],
  ['a URL with a quote in it', { url: `data:image/"png";base64,${IMAGE}` }],
  ['a URL without a comma', { url: `data:${IMAGE}` }],
  ['a URL that is not ASCII', { url: `data:image/é;base64,${IMAGE}` }],
  [
    'a URL whose low bytes are JSON',
    { url: `data:image/a\u0122}\u012c\u0122model\u0122:\u0122x;base64,${IMAGE}` },
  ],
  [
    'base64 whose low bytes are JSON',
    { image: `${IMAGE.slice(0, 400)}\u0141\u0122\u0122\u0141${IMAGE.slice(400)}` },
  ],
  ['the mark itself', { text: 'an image stands here', image: IMAGE }],
  ['the mark among words', { text: 'say "an image stands here" twice', image: IMAGE }],
  ['nothing where undefined is', { image: IMAGE, gone: undefined, list: [undefined] }],
])('writes JSON: %s', (_name, value) => {
  expect(serializeBody(value, LARGE).toString()).toBe(JSON.stringify(value))
})

test('writes JSON: any long value', () => {
  const odd = fc.string({
    unit: fc.constantFrom('A', '+', '=', '"', '\\', '\n', '\u0141', '\u0122', 'é', ','),
  })
  const text = fc.tuple(odd, odd, fc.boolean()).map(([start, end, isUrl]) => {
    return `${isUrl ? 'data:' : ''}${start}${IMAGE}${end}`
  })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (list) => {
      expect(serializeBody({ list }, LARGE).toString()).toBe(JSON.stringify({ list }))
    }),
    runs(300),
  )
})

test('returns bytes if it copied an image, else a text', () => {
  expect(serializeBody({ image: IMAGE }, LARGE)).toBeInstanceOf(Buffer)
  expect(serializeBody({ image: IMAGE }, 1)).toBeTypeOf('string')
  expect(serializeBody({ text: 'x'.repeat(100_001) }, LARGE)).toBeTypeOf('string')
})
