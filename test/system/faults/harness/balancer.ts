import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { request } from 'undici'

/** A load balancer in front of replicas: new connections go in turn to those whose `/readyz` answers 200. */
export interface Balancer {
  baseUrl: string
  /** Number of servers that accept new connections. */
  ready(): number
  close(): Promise<void>
}

const ASK_EVERY_MS = 50

export async function startBalancer(
  replicas: readonly { port: number; baseUrl: string }[],
): Promise<Balancer> {
  const ready = new Set<number>()
  const sockets = new Set<Socket>()
  let turn = 0
  let isClosed = false

  const watch = async ({ port, baseUrl }: { port: number; baseUrl: string }) => {
    while (!isClosed) {
      if (await isReady(baseUrl)) ready.add(port)
      else ready.delete(port)
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    }
  }

  /** A connection that a replica refuses goes to the next one, since none of its bytes was sent. */
  const lead = (client: Socket, ports: readonly number[]): void => {
    const [port, ...others] = ports
    if (port === undefined) return void client.destroy()
    const replica = connect(port, '127.0.0.1')
    replica.once('error', () => (replica.bytesWritten === 0 ? lead(client, others) : client.destroy()))
    replica.once('connect', () => {
      replica.on('error', () => client.destroy())
      client.on('error', () => replica.destroy())
      client.pipe(replica).pipe(client)
    })
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.once('close', () => sockets.delete(client))
    const ports = [...ready].toSorted()
    turn += 1
    const first = turn % Math.max(1, ports.length)
    lead(client, [...ports.slice(first), ...ports.slice(0, first)])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  const watching = replicas.map(watch)
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    ready: () => ready.size,
    async close() {
      isClosed = true
      await Promise.all(watching)
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${baseUrl}/readyz`, { reset: true, headersTimeout: 5_000 })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
