import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { ADMIN_KEY, KEY, memoryApp } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const KIBIBYTE = 1024
const WITH_BODY = OPERATIONS.filter(({ body }) => body !== undefined)
const TOKEN = 'a-token'

/** Forms of sending a body: with its length, or in chunks. */
const SENT = { whole: sendWhole, chunked: sendChunked }

describe.each([
  ['below every declared limit', 16 * KIBIBYTE],
  ['above the limit of embeddings', 9 * KIBIBYTE * KIBIBYTE],
])('with BODY_LIMIT_BYTES %s', (_name, textBodyBytesMax) => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({
      app: memoryApp({ isNoticeToken: (token) => token === TOKEN, takeNotice: () => {} }),
      limits: { textBodyBytesMax },
    })
  })
  afterAll(() => edge.close())

  const statusOf = async (operation: Operation, bytes: number, send: typeof sendWhole) => {
    const [answer] = await sendRaw(edge.port, send(operation, bytes))
    return answer?.status
  }

  test.each(
    WITH_BODY.flatMap((operation) =>
      (['whole', 'chunked'] as const).map((way) => [operation.id, way, operation] as const),
    ),
  )('%s, %s: a body may be as long as declared and not a byte longer', async (_id, way, operation) => {
    const limit = limitOf(operation, textBodyBytesMax)
    expect(await statusOf(operation, limit, SENT[way])).not.toBe(413)
    // A vendor gets the same answer whatever it sends.
    const refused = operation.body?.answerWhenBad === undefined ? 413 : 200
    expect(await statusOf(operation, limit + 1, SENT[way])).toBe(refused)
  })
})

/** The setting limits every text endpoint, also those that declare a higher limit. */
function limitOf({ body, area }: Operation, textBodyBytesMax: number): number {
  const limit = body?.limitBytes ?? 0
  if (limit === 'text') return textBodyBytesMax
  return ['messages', 'responses', 'chat'].includes(area) ? Math.min(limit, textBodyBytesMax) : limit
}

function headOf({ method, path, access }: Operation): string {
  const key = access === 'admin' ? `X-Admin-Key: ${ADMIN_KEY}` : `Authorization: Bearer ${KEY}`
  const target = `${path.replaceAll(/:\w+/g, 'x')}?token=${TOKEN}`
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${key}\r\nConnection: close\r\n`
}

/** The body is not JSON: its size is checked before anything else. */
function sendWhole(operation: Operation, bytes: number): string {
  return `${headOf(operation)}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`
}

const CHUNK = 64 * KIBIBYTE

function sendChunked(operation: Operation, bytes: number): string {
  let chunks = ''
  for (let left = bytes; left > 0; left -= CHUNK) {
    const size = Math.min(left, CHUNK)
    chunks += `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
  }
  return `${headOf(operation)}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
}
