import { setImmediate as turn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { onTestFinished } from 'vitest'
import { Http1Client, type Http1ClientOptions } from '../../../../src/adapters/outbound/http1/http1-client.ts'
import { MemorySocket } from './memory-socket.ts'

export const REPLY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n'

/** A client whose sockets the test holds. */
export function openWorld(changes: Partial<Http1ClientOptions> = {}) {
  const sockets: MemorySocket[] = []
  const client = new Http1Client({
    origin: new URL('http://vendor.example:8080'),
    ...{ connections: 2, connectTimeoutMs: 10_000, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
    open(done) {
      const socket = new MemorySocket()
      sockets.push(socket)
      queueMicrotask(() => done(undefined, socket))
    },
    ...changes,
  })
  onTestFinished(() => client.destroy())

  async function send(
    request: Partial<Parameters<Http1Client['dispatch']>[0]> = {},
    on: Dispatcher.DispatchHandler = {},
  ) {
    const received: string[] = []
    const controls: Dispatcher.DispatchController[] = []
    client.dispatch(
      { method: 'GET', path: '/x', headers: {}, body: null, ...request },
      {
        onRequestStart(controller, context) {
          controls.push(controller)
          received.push('start')
          on.onRequestStart?.(controller, context)
        },
        onResponseStart(controller, status, headers) {
          received.push(`${status}`)
          on.onResponseStart?.(controller, status, headers)
        },
        onResponseData(controller, chunk) {
          received.push(`+${chunk}`)
          on.onResponseData?.(controller, chunk)
        },
        onResponseEnd: () => void received.push('end'),
        onResponseError: (_controller, error) =>
          void received.push(Reflect.get(error, 'code') ?? error.message),
      },
    )
    await settle()
    return { received, control: () => controls[0] }
  }
  const at = (index: number) => {
    const socket = sockets[index]
    if (socket === undefined) throw new Error('no such socket')
    return socket
  }
  return { client, sockets, send, at }
}

export async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn()
}
