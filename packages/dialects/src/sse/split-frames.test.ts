import { expect, test } from 'vitest'
import { arbitraryText } from '../../../../test/fixtures/text/arbitrary-text.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { createFrameSplitter } from './split-frames.ts'

type Frame = [name: string | undefined, data: string]

const LARGE = { maxFrameBytes: 1_000_000 }

function split(chunks: readonly Uint8Array[], options = LARGE): { frames: Frame[]; isFine: boolean } {
  const frames: Frame[] = []
  const splitter = createFrameSplitter((name, data) => frames.push([name, data]), options)
  let isFine = true
  for (const chunk of chunks) isFine = splitter.push(chunk)
  splitter.end()
  return { frames, isFine }
}

function framesOf(text: string): Frame[] {
  return split([Buffer.from(text)]).frames
}

test.each<[what: string, text: string, frames: Frame[]]>([
  ['a named event', 'event: ping\ndata: {}\n\n', [['ping', '{}']]],
  ['an event without a name', 'data: [DONE]\n\n', [[undefined, '[DONE]']]],
  ['no space after the colon', 'event:a\ndata:b\n\n', [['a', 'b']]],
  ['one space only is taken away', 'data:  b \n\n', [[undefined, ' b ']]],
  [
    'CRLF',
    'event: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n',
    [
      ['a', 'b'],
      [undefined, 'c'],
    ],
  ],
  [
    'lone CR',
    'event: a\rdata: b\r\rdata: c\r\r',
    [
      ['a', 'b'],
      [undefined, 'c'],
    ],
  ],
  ['all ends of line in one event', 'data: a\r\ndata: b\rdata: c\n\r\n', [[undefined, 'a\nb\nc']]],
  ['a byte order mark', '\uFEFFdata: a\n\n', [[undefined, 'a']]],
  ['a byte order mark alone on its line', '\uFEFF\ndata: a\n\n', [[undefined, 'a']]],
  ['a byte order mark further on is no mark', 'data: a\n\n\uFEFFdata: b\n\n', [[undefined, 'a']]],
  ['comments', ': hello\ndata: a\n:\ndata: b\n\n: bye\n\n', [[undefined, 'a\nb']]],
  ['a field without a colon', 'data\ndata\n\n', [[undefined, '\n']]],
  ['empty data is an event', 'data:\n\n', [[undefined, '']]],
  ['a name without data is not a frame', 'event: a\n\ndata: b\n\n', [[undefined, 'b']]],
  ['an empty name is no name', 'event: a\nevent:\ndata: b\n\n', [[undefined, 'b']]],
  ['the last name counts', 'event: a\nevent: b\ndata: c\n\n', [['b', 'c']]],
  ['id and retry are ignored', 'id: 1\nretry: 5\ndata: a\n\n', [[undefined, 'a']]],
  ['fields that only begin alike', 'database: x\nevents: y\ndata: a\n\n', [[undefined, 'a']]],
  ['a colon within the data', 'data: a: b\n\n', [[undefined, 'a: b']]],
  ['blank lines alone', '\n\n\r\n\r\r', []],
  [
    'the last blank line left out',
    'data: a\n\ndata: [DONE]\n',
    [
      [undefined, 'a'],
      [undefined, '[DONE]'],
    ],
  ],
  [
    'the last end of line left out',
    'data: a\n\nevent: b\ndata: [DONE]',
    [
      [undefined, 'a'],
      ['b', '[DONE]'],
    ],
  ],
  ['a name at the very end', 'data: a\n\nevent: message_stop', [[undefined, 'a']]],
  [
    'separators that are no ends of line',
    'data: a\u2028b\u2029c\u0085d\n\n',
    [[undefined, 'a\u2028b\u2029c\u0085d']],
  ],
  ['nothing', '', []],
])('%s', (_what, text, frames) => {
  expect(framesOf(text)).toEqual(frames)
  expect(split([...Buffer.from(text)].map((byte) => Uint8Array.of(byte))).frames).toEqual(frames)
})

test('a character split between chunks is whole', () => {
  const bytes = Buffer.from('data: \u{1F30A}水\n\n')
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(split([bytes.subarray(0, at), bytes.subarray(at)]).frames).toEqual([[undefined, '\u{1F30A}水']])
  }
})

test('a frame of the maximum length passes; with one byte more it fails, and the rest is not read', () => {
  const frame = (bytes: number) => Buffer.from(`data: ${'x'.repeat(bytes - 6)}\n\n`)
  const options = { maxFrameBytes: 20 }
  const after = Buffer.from('data: y\n\n')
  expect(split([frame(20), after], options)).toMatchObject({
    isFine: true,
    frames: [
      [undefined, 'x'.repeat(14)],
      [undefined, 'y'],
    ],
  })
  expect(split([frame(21), after], options)).toEqual({ isFine: false, frames: [] })
  expect(
    split(
      [...frame(21)].map((byte) => Uint8Array.of(byte)),
      options,
    ),
  ).toEqual({ isFine: false, frames: [] })
})

test.each([
  ['many lines', 'data: xxxxxxxx\n'.repeat(3)],
  ['a line that never ends', 'x'.repeat(21)],
  ['a name', `event: ${'x'.repeat(20)}\n`],
])('the bound counts %s', (_what, text) => {
  expect(split([Buffer.from(text)], { maxFrameBytes: 20 }).isFine).toBe(false)
})

test('comments between frames do not add up', () => {
  const text = `${': keep-alive\n'.repeat(100)}data: a\n\n`
  expect(split([Buffer.from(text)], { maxFrameBytes: 20 })).toEqual({
    isFine: true,
    frames: [[undefined, 'a']],
  })
})

test('any bytes in any chunks give the result of a plain reader of the standard', () => {
  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('data', 'event', 'id', '', 'dat', 'dataa'),
        fc.constantFrom(':', ': ', ''),
        arbitraryText(),
      )
      .map((parts) => parts.join('')),
    fc.constant(''),
  )
  const stream = fc.array(
    fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')).map((parts) => parts.join('')),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(
      stream,
      fc.boolean(),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 10 }),
      (lines, hasMark, sizes) => {
        const text = (hasMark ? '\uFEFF' : '') + lines.join('')
        expect(split(chunked(Buffer.from(text), sizes)).frames).toEqual(referenceFrames(text))
      },
    ),
    runs(1_000),
  )
})

function chunked(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] || (turn >= sizes.length ? 1 : 0)
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

/** Reads decoded text exactly as the standard says, except that an unfinished last frame counts. */
function referenceFrames(text: string): Frame[] {
  const frames: Frame[] = []
  let name = ''
  let data: string[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (const line of [...lines, '']) {
    if (line === '') {
      if (data.length > 0) frames.push([name || undefined, data.join('\n')])
      name = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    if (field === 'event') name = value
  }
  return frames
}
