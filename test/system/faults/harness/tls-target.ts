import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export const AUTHORITY_FILE = new URL('./fixtures/authority.pem', import.meta.url)

/** An HTTPS server for `callback.test` and loopback, which counts every TCP connection it is offered. */
export interface TlsTarget {
  readonly port: number
  /** The local address of each connection, in order: where the client went. */
  readonly accepted: string[]
  close(): Promise<void>
}

export async function startTlsTarget(listener: RequestListener, host = '0.0.0.0'): Promise<TlsTarget> {
  const accepted: string[] = []
  const server = createServer({ cert: fixture('server.pem'), key: fixture('server-key.pem') }, listener)
  server.on('connection', (socket) => accepted.push(socket.localAddress ?? ''))
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  return {
    port: address.port,
    accepted,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Makes this thread trust the fixtures' authority, as `NODE_EXTRA_CA_CERTS` does for a process. Returns a function that
 * undoes it.
 */
export function trustTestAuthority(): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, fixture('authority.pem')])
  return () => setDefaultCACertificates(before)
}

function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
}
