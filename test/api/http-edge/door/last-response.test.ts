import { expect, test } from 'vitest'
import { memoryDoor } from './memory-door.ts'
import { MemorySocket } from './memory-socket.ts'
import { HOT_PATH } from './two-servers.ts'

const REQUEST = `POST ${HOT_PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`

/** A socket that is still readable while its end is on its way to the client. */
class SlowlyEndedSocket extends MemorySocket {
  override _final(): void {}
}

test('a request that comes after the last response of its connection is not served', async () => {
  let begun = 0
  const connect = memoryDoor({
    serve(_request, reply) {
      begun += 1
      reply.writeHead(200, { 'content-length': 2 })
      reply.end('{}')
    },
  })
  const socket = connect(new SlowlyEndedSocket())
  socket.arrive(Buffer.from(REQUEST))
  await new Promise(setImmediate)
  expect(socket.written).toMatch(/\{\}$/)
  expect(socket.writableEnded).toBe(true)
  socket.arrive(Buffer.from(REQUEST))
  await new Promise(setImmediate)
  expect(begun).toBe(1)
  socket.destroy()
})
