import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { Client } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { readUndiciError } from './read-undici-error.ts'

test('no error contains the bytes of an answer that is not HTTP', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: x CANARY\r\n\r\nCANARY'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  const client = new Client(`http://127.0.0.1:${address.port}`)
  onTestFinished(async () => {
    await client.destroy()
    server.close()
  })
  const error: unknown = await client.request({ method: 'GET', path: '/' }).catch((thrown: unknown) => thrown)
  // This check fails when undici no longer keeps the bytes. `withoutData` is then superfluous.
  expect(inspect(error)).toContain('CANARY')
  const failure = readUndiciError(error, { wasSent: true })
  expect(failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: { name: 'HTTPParserError' } })
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('CANARY')
})

test.each([
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout-first-byte'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout-idle'],
  ['UND_ERR_ABORTED', 'aborted'],
  ['UND_ERR_INVALID_ARG', 'forbidden'],
  ['UND_ERR_SOCKET', 'broken'],
])('%s is %s', (code, kind) => {
  const error = Object.assign(new Error('x'), { code })
  expect(readUndiciError(error, { wasSent: true })).toMatchObject({ kind, taken: 'maybe' })
})

test('a request that was not sent cannot have been taken', () => {
  expect(readUndiciError(new Error('x'), { wasSent: false })).toMatchObject({ kind: 'refused', taken: 'no' })
})
