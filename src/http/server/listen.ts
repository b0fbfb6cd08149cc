import type { Server } from 'node:http'
import { createServer, type Server as PlainServer } from 'node:net'
import type { Door } from '../door/open-door.ts'
import { urlOf } from './url-of.ts'

interface ListenOptions {
  host: string
  port: number
}

export interface HttpServer {
  readonly server: Server
  /** Resolves with the address for clients of this machine. */
  listen(options: ListenOptions): Promise<string>
  /** Accepts no more connections, and resolves when the last one has ended. */
  close(): Promise<void>
  cutConnections(): void
}

/** Returns the listening address, for clients when no public address is set. */
export function addressOf({ server }: HttpServer): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen yet')
  return urlOf({ host: address.address, port: address.port })
}

/** A server that can be started and stopped. `onClose` is called before its connections end. */
export function listenOn(
  server: Server,
  { door, onClose }: { door?: Door | undefined; onClose(): void },
): HttpServer {
  let second: PlainServer | undefined
  let closed: Promise<void> | undefined
  return {
    server,
    async listen({ host, port }) {
      await listening(server, { host, port })
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the server does not listen')
      if (host === 'localhost') second = await listenBeside(server, address)
      return urlOf({
        host: address.address === '0.0.0.0' ? '127.0.0.1' : address.address,
        port: address.port,
      })
    },
    close() {
      closed ??= close()
      return closed
    },
    cutConnections() {
      server.closeAllConnections()
      door?.cutAll()
    },
  }

  async function close(): Promise<void> {
    onClose()
    const done = Promise.all([closing(server), second && closing(second)])
    door?.closeIdle()
    await done
  }
}

function closing(server: PlainServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (server.listening) server.close(() => resolve())
  else resolve()
  return promise
}

function listening(server: PlainServer, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(options, () => {
    server.off('error', reject)
    resolve()
  })
  return promise
}

/** Listens at the second address of `localhost` too, if it can, and hands its connections to the server. */
async function listenBeside(
  server: Server,
  { family, port }: { family: string; port: number },
): Promise<PlainServer | undefined> {
  // Node's HTTP server uses these options for its own connections.
  const options = { allowHalfOpen: true, noDelay: true }
  const second = createServer(options, (socket) => server.emit('connection', socket))
  try {
    await listening(second, { host: family === 'IPv4' ? '::1' : '127.0.0.1', port })
    return second
  } catch {
    return undefined
  }
}
