import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { EdgeReply } from './edge-reply.ts'
import type { EdgeRequest } from './edge-request.ts'

afterEach(() => void vi.useRealTimers())

test('a stream that its client does not read for 30 seconds is cut, and its source is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const source = Readable.from(endless())
  const server = createServer((_request, raw) => {
    void new EdgeReply({ id: 'req_1', method: 'GET', raw: { url: '/' } } as unknown as EdgeRequest, raw).send(
      source,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  // The buffers of the system fill first; only then does the time without progress begin.
  let seconds = 0
  const isCut = () => {
    vi.advanceTimersByTime(1_000)
    seconds += 1
    return source.destroyed
  }
  await vi.waitUntil(isCut, { timeout: 20_000, interval: 10 })
  expect(seconds).toBeGreaterThanOrEqual(29)
  socket.destroy()
  server.closeAllConnections()
  server.close()
})

function* endless() {
  for (;;) yield Buffer.alloc(64 * 1024)
}
