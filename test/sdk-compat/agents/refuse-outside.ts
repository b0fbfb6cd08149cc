import { once } from 'node:events'
import { createServer } from 'node:http'

export interface OutsideDoor {
  /** For `HTTP_PROXY` and `HTTPS_PROXY`. */
  url: string
  /** Method and target of each refused request, in order. */
  wanted: string[]
  close(): Promise<void>
}

/** A proxy that refuses and records every request: clients may call only the gateway. */
export async function refuseOutside(): Promise<OutsideDoor> {
  const wanted: string[] = []
  const server = createServer((request, response) => {
    wanted.push(`${request.method} ${request.url}`)
    response.writeHead(403).end()
  })
  server.on('connect', (request, socket) => {
    wanted.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    wanted,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
