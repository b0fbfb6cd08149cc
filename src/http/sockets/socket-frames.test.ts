import { expect, test } from 'vitest'
import { frameOf, framesOf } from './socket-frames.ts'

/** Reads the texts of frames that a server sends, without masks and fragments. */
function textsOf(frames: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < frames.length; ) {
    expect(frames[at]).toBe(0x81)
    const short = frames.readUInt8(at + 1)
    const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2
    const length =
      short === 127
        ? Number(frames.readBigUInt64BE(at + 2))
        : short === 126
          ? frames.readUInt16BE(at + 2)
          : short
    at += headBytes + length
    texts.push(new TextDecoder('utf-8', { fatal: true }).decode(frames.subarray(at - length, at)))
  }
  return texts
}

const both = (events: string) => [framesOf(events), framesOf(Buffer.from(events))]

test.each([
  ['with names', 'event: a\ndata: {"n":1}\n\nevent: b\ndata: {"n":2}\n\n', ['{"n":1}', '{"n":2}']],
  ['without names', 'data: {"n":1}\n\ndata: [DONE]\n\n', ['{"n":1}', '[DONE]']],
  ['beside comments', ': served_by=a/b\n\ndata: 1\n\n: cost_usd=0.1\n\ndata: 2\n\n', ['1', '2']],
  ['that are comments only', ': keep-alive\n\n', []],
  ['with letters of several bytes', 'event: a\ndata: "Grüße 🚢"\n\ndata: "水"\n\n', ['"Grüße 🚢"', '"水"']],
  ['that are empty', 'data: \n\n', ['']],
  ['with returns', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n', ['1', '2']],
  ['with one return inside', 'data: 1\rdata: 2\n\n', ['1\n2']],
  ['over several lines', 'event: a\ndata: {\ndata: }\n\ndata: 2\n\n', ['{\n}', '2']],
  ['without a space', 'event:a\ndata:1\n\n', ['1']],
  ['with other fields', 'id: 7\nevent: a\nretry: 1\ndata: 1\n\n', ['1']],
  ['with a comment inside', ': hello\nevent: a\ndata: 1\n\n', ['1']],
  ['with the name after the data', 'data: 1\nevent: a\n\n', ['1']],
  ['with a name alone', 'event: a\n\ndata: 1\n\n', ['1']],
  ['without their last blank line', 'data: 1\n\ndata: 2', ['1', '2']],
  ['from an empty text', '', []],
])('events %s are one frame each', (_, events, texts) => {
  for (const { frames } of both(events)) expect(textsOf(frames)).toEqual(texts)
})

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('an event of %i bytes has its length', (length) => {
  const text = 'x'.repeat(length)
  for (const { frames } of both(`data: ${text}\n\ndata: ${text}\n\n`))
    expect(textsOf(frames)).toEqual([text, text])
  expect(textsOf(frameOf(text))).toEqual([text])
})

test('a frame counts bytes, not letters', () => {
  const text = 'ü'.repeat(63)
  expect(textsOf(frameOf(text))).toEqual([text])
})

test('bytes that are not UTF-8 are replaced, because clients close a connection with them', () => {
  const events = Buffer.from('data: a\u00ff\n\ndata: b\n\n', 'latin1')
  expect(textsOf(framesOf(events).frames)).toEqual(['a\ufffd', 'b'])
})

test.each([
  ['by its name', 'event: response.completed\ndata: {"a":"ü"}\n\n', '{"a":"ü"}'],
  [
    'by its type',
    'data: { "type" : "response.incomplete","a":1}\n\n',
    '{ "type" : "response.incomplete","a":1}',
  ],
  ['before a comment', 'event: response.completed\ndata: {}\n\n: bye\n\n', '{}'],
  ['with returns', 'event: response.completed\r\ndata: {}\r\n\r\n', '{}'],
  ['of a failure', 'event: response.failed\ndata: {"type":"response.completed"}\n\n', undefined],
  ['of a delta', 'event: response.output_text.delta\ndata: {}\n\n', undefined],
  ['of a comment', ': keep-alive\n\n', undefined],
])('the good end of a reply %s', (_, event, goodEnd) => {
  for (const found of both(`event: response.created\ndata: {}\n\n${event}`))
    expect(found.goodEnd).toBe(goodEnd)
})
