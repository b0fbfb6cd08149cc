import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { CALLER } from '../../caller.ts'
import { hot } from './echo-operations.ts'
import { memoryApp } from './memory-app.ts'
import { startEdge } from './start-edge.ts'

/** More than the buffers of the operating system take. */
const LARGE = JSON.stringify('a'.repeat(24 * 1024 * 1024))

/** Each key is an organization of its own. */
const authenticate: App['authenticate'] = async (key) => ({ ...CALLER, organizationId: `org_${key}` })

test.each([true, false])(
  'with the fast door %s an organization loses its oldest unread replies',
  async (fastDoor) => {
    const edge = await startEdge({
      ...{ fastDoor, app: memoryApp({ authenticate }) },
      operations: [hot({ area: 'video', path: '/v1/video/large' }, () => LARGE)],
      limits: { bodyBytesEachMax: 2.5 * LARGE.length },
    })
    onTestFinished(() => edge.close())
    const open = (key: string) => {
      const socket = connect(edge.port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const seen = {
        socket,
        bytes: 0,
        isClosed: false,
        begun: new Promise((ok) => socket.once('readable', ok)),
      }
      socket.on('error', () => {})
      socket.on('close', () => {
        seen.isClosed = true
      })
      socket.write(
        `POST /v1/video/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 2\r\n\r\n{}`,
      )
      return seen
    }
    const unread = []
    for (const key of ['b', 'a', 'a', 'a']) {
      const seen = open(key)
      await seen.begun
      unread.push(seen)
      edge.advance(1_000)
    }
    for (const seen of unread) {
      const whole = Promise.race([
        new Promise((ok) => seen.socket.once('close', ok)),
        expect.poll(() => seen.bytes).toBeGreaterThan(LARGE.length),
      ])
      seen.socket.on('data', ({ length }) => {
        seen.bytes += length
      })
      await whole
    }
    expect(unread.map(({ bytes }) => bytes > LARGE.length)).toEqual([true, false, true, true])
    expect(edge.lines.filter(({ event }) => event === 'reply.unread_cut')).toHaveLength(1)
  },
)
