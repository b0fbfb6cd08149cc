import { describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from './answer.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const TIMEOUTS = { headersMs: 100, requestMs: 200, keepAliveMs: 50 }

describe('a client that is too slow', () => {
  const start = async () => {
    const edge = await startEdge({ operations: ECHOES, timeouts: TIMEOUTS })
    onTestFinished(() => edge.close())
    return edge
  }

  test.each([
    ['with its headers', 'GET /v1/messages/echo HTTP/1.1\r\nHost:', 'video'],
    ['with anything at all', '', 'video'],
    [
      'with its body',
      `POST /v1/messages/echo HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Length: 9\r\n\r\n[`,
      'messages',
    ],
  ] as const)('%s gets 408', async (_name, bytes, area) => {
    const { port } = await start()
    const [answer, ...more] = await sendRaw(port, bytes)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, area, 408)
    expect(answer.headers.connection).toBe('close')
    expect(more).toEqual([])
  })

  test('with its next request is let go without a word', async () => {
    const { port } = await start()
    const answers = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(answers.map(({ status }) => status)).toEqual([404])
  })
})
