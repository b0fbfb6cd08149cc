import { describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from './answer.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const SHORT = { headersMs: 100, requestMs: 200, keepAliveMs: 50 }
/** Timeouts for tests that read a whole head; a connection may be idle longer than a request may take. */
const LONGER = { headersMs: 1_500, requestMs: 2_000, keepAliveMs: 3_000 }

describe('a client that is too slow', () => {
  const start = async (timeouts: typeof SHORT) => {
    const edge = await startEdge({ operations: ECHOES, timeouts })
    onTestFinished(() => edge.close())
    return edge
  }

  test.each([
    ['with its headers', SHORT, 'GET /v1/messages/echo HTTP/1.1\r\nHost:', 'video'],
    ['with anything at all', SHORT, '', 'video'],
    [
      'with its body',
      LONGER,
      `POST /v1/messages/echo HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Length: 9\r\n\r\n[`,
      'messages',
    ],
  ] as const)('%s gets 408', async (_name, timeouts, bytes, area) => {
    const { port } = await start(timeouts)
    const [answer, ...more] = await sendRaw(port, bytes)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, area, 408)
    expect(answer.headers.connection).toBe('close')
    expect(more).toEqual([])
  })

  test('with its next request is closed without an answer', async () => {
    const { port } = await start(LONGER)
    const answers = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(answers.map(({ status }) => status)).toEqual([404])
  })
})
