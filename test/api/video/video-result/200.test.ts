import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TakeNotice } from '../../../../src/app/video/notice-queue.ts'
import { type Answer, expectError, readAnswer } from '../../http-edge/answer.ts'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const MEBIBYTE = 1024 * 1024

let edge: Edge
let taken: Parameters<TakeNotice>[0][]

beforeEach(async () => {
  taken = []
  edge = await startEdge({ app: memoryApp({ takeNotice: (notice) => void taken.push(notice) }) })
})
afterEach(() => edge.close())

async function post(
  query: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
  return readAnswer(await fetch(`${edge.url}/v1/video/result${query}`, init))
}

/** The answer without the headers that differ between requests: id, date and connection. */
function plain({ status, headers, body }: Answer): unknown {
  const { 'x-request-id': _id, date: _date, 'keep-alive': _keepAlive, ...rest } = headers
  return { status, headers: rest, body }
}

test('only the token and the ticket of a notice are passed on', async () => {
  const answer = await post('?token=abc', '{"id":"cgt-1","status":"succeeded","content":{"video_url":"x"}}')
  expect(answer).toMatchObject({ status: 200, body: '{}' })
  expect(taken).toEqual([{ token: 'abc', ticket: 'cgt-1' }])
})

test.each<[string, string, string | Buffer, Record<string, string>?]>([
  ['no token', '', '{"id":"cgt-1"}'],
  ['two tokens', '?token=a&token=b', '{"id":"cgt-1"}'],
  ['a list', '?token=a', '[]'],
  ['an id that is not a text', '?token=a', '{"id":{"a":1}}'],
  ['NUL in the id', '?token=a', '{"id":"a\\u0000b"}'],
])('with %s the answer is the same', async (_name, query, body, headers) => {
  const good = await post('?token=abc', '{"id":"cgt-1"}')
  expect(plain(await post(query, body, headers))).toEqual(plain(good))
})

test.each<[string, string | Buffer, Record<string, string>?]>([
  ['bad JSON', '{"id":'],
  ['nothing', ''],
  ['too much', `"${'a'.repeat(MEBIBYTE)}"`],
  ['far too much', `"${'a'.repeat(8 * MEBIBYTE)}"`],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['another type', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a packed body', 'x', { 'content-encoding': 'gzip' }],
  ['too deep a body', '['.repeat(100_000)],
])('with %s the answer is the same, and nothing is done', async (_name, body, headers) => {
  const good = await post('?token=abc', '{"id":"cgt-1"}')
  taken.length = 0
  expect(plain(await post('?token=abc', body, headers))).toEqual(plain(good))
  expect(taken).toEqual([])
})

test('other methods are refused as everywhere', async () => {
  expectError(await readAnswer(await fetch(`${edge.url}/v1/video/result?token=a`)), 'video', 405)
})
