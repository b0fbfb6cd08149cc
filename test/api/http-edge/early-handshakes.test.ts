import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { CALLER } from '../../caller.ts'
import { memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const HANDSHAKE = `GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
/** A ping with no content under a mask of zeros, and the pong to it. */
const PING = Buffer.from([0x89, 0x80, 0, 0, 0, 0])
const PONG = Buffer.from([0x8a, 0]).toString('latin1')

test.each([
  ['one packet', [HANDSHAKE]],
  ['two packets', [HANDSHAKE.slice(0, 40), HANDSHAKE.slice(40)]],
])(
  'a WebSocket whose key is known immediately, with a handshake in %s, reads its frames',
  async (_packets, packets) => {
    const edge = await startEdge({ app: memoryApp({ authenticate: () => CALLER }) })
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port)
    connection.socket.setNoDelay(true)
    for (const packet of packets) {
      connection.write(packet)
      await sleep(20)
    }
    await connection.sees('101 Switching Protocols')
    connection.write(PING)
    await connection.sees(PONG)
    expect(edge.socketsOpen()).toBe(1)
    connection.socket.destroy()
  },
)
