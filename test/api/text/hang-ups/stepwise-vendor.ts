import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

/** A vendor that answers as far as the test lets it, and knows how far the gateway has read. */
export interface StepwiseVendor {
  url: string
  /** The next request that arrives, with its body read. */
  nextCall(): Promise<VendorCall>
  close(): Promise<void>
}

/** One request, and the answer to it. */
export interface VendorCall {
  reply: ServerResponse
  /** Resolves when the gateway has read all that was sent. */
  arrived(): Promise<void>
  /** Resolves when the connection is closed. */
  closed: Promise<unknown>
}

const NEW_SOCKET = 'net.client.socket'

export async function startStepwiseVendor(): Promise<StepwiseVendor> {
  let onCall = (_call: VendorCall) => {}
  /** Every socket that this process opens; the gateway is part of it. */
  const opened = new Set<Socket>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    opened.add(socket)
    socket.once('close', () => opened.delete(socket))
  }
  subscribe(NEW_SOCKET, onSocket)
  const server = createServer(async (request, reply) => {
    const closed = once(reply, 'close')
    await text(request)
    const { socket } = request
    const reader = [...opened].find(({ localPort }) => localPort === socket.remotePort)
    const arrived = async () => {
      // The last write reaches the socket at the end of the turn.
      await new Promise(setImmediate)
      await expect.poll(() => socket.bytesWritten - Number(reader?.bytesRead), { interval: 5 }).toBe(0)
    }
    onCall({ reply, arrived, closed })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextCall: () =>
      new Promise((resolve) => {
        onCall = resolve
      }),
    async close() {
      unsubscribe(NEW_SOCKET, onSocket)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
