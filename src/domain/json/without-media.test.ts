import { expect, test } from 'vitest'
import { withoutMedia } from './without-media.ts'

const MAX = 10_000
const IMAGE = Buffer.alloc(3_000, 7).toString('base64')
const read = (value: unknown, bytesMax = MAX) =>
  withoutMedia(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), bytesMax)

test('a body without media stays as it is', () => {
  const body = { messages: [{ role: 'user', content: `"Zwölf" 船 ${'long text with spaces '.repeat(100)}` }] }
  const text = JSON.stringify(body)
  expect(read(body)).toEqual({ text, bytes: Buffer.byteLength(text), isCut: false })
})

test.each([
  ['an image as a data URL', { url: `data:image/png;base64,${IMAGE}` }, '{"url":"[image, 3000 bytes]"}'],
  ['a file as a data URL', { url: `data:application/pdf;base64,${IMAGE}` }, '{"url":"[file, 3000 bytes]"}'],
  [
    'audio after its type',
    { media_type: 'audio/wav', data: IMAGE, next: IMAGE },
    '{"media_type":"audio/wav","data":"[audio, 3000 bytes]","next":"[file, 3000 bytes]"}',
  ],
  ['base64 without its end', `{"data":"${IMAGE}`, '{"data":"[file, 3000 bytes]'],
])('%s becomes its size', (_what, body, text) => {
  expect(read(body)).toMatchObject({ text, isCut: false })
})

test('a body of quotes alone, and empty strings around an image, stay as they are', () => {
  const quotes = '"'.repeat(9_999)
  expect(read(quotes)).toEqual({ text: quotes, bytes: 9_999, isCut: false })
  expect(read({ a: '', b: ['', IMAGE, ''] })).toMatchObject({
    text: '{"a":"","b":["","[file, 3000 bytes]",""]}',
  })
})

test('a long body is cut between two characters', () => {
  expect(read({ text: '船'.repeat(5_000) }, 100)).toEqual({
    text: `{"text":"${'船'.repeat(30)}`,
    ...{ bytes: 100, isCut: true },
  })
  expect(read('x'.repeat(101), 100)).toEqual({ text: 'x'.repeat(100), bytes: 100, isCut: true })
  expect(read('x'.repeat(100), 100).isCut).toBe(false)
})

test('media before the cut do not count', () => {
  expect(read([IMAGE, 'the question'], 60)).toMatchObject({
    ...{ text: '["[file, 3000 bytes]","the question"]', isCut: false },
  })
})
