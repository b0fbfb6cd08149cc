import { setTimeout as wait } from 'node:timers/promises'
import {
  type ClientOptions,
  openPlain,
  type PlainClient,
  type RedisClient,
  reconnectDelayMs,
  reportChanges,
} from './redis-client.ts'
import { type RedisNode, type RedisServers, urlOf } from './redis-servers.ts'
import { withinTime } from './within-time.ts'

type SentinelServers = Extract<RedisServers, { kind: 'sentinel' }>

/**
 * Creates a client of the server that the sentinels name as master. When its connection is lost, the
 * sentinels are asked again until a server replies that it is the master.
 */
export function createSentinelClient(servers: SentinelServers, options: ClientOptions): RedisClient {
  const report = reportChanges(options)
  const listeners: (() => void)[] = []
  let current: PlainClient | undefined
  let isClosed = false

  void keepConnected()

  async function keepConnected(): Promise<void> {
    for (let attempt = 0; !isClosed; attempt += 1) {
      try {
        await serveOne(await findMaster(servers, attempt))
      } catch (error) {
        if (!isClosed) report.lost(error)
      }
      if (!isClosed) await wait(reconnectDelayMs())
    }
  }

  /** Uses one master until its connection is lost; then it rejects. */
  async function serveOne(master: RedisNode): Promise<void> {
    const { account, tls, database } = servers
    const url = `${urlOf(master, tls)}/${database}`
    const client = openPlain({ url, role: options.role, account, reconnectStrategy: false })
    const lost = new Promise<void>((_resolve, reject) => client.on('error', reject))
    lost.catch(() => {})
    try {
      await client.connect()
      const reply = await withinTime(client.role())
      if (reply?.role !== 'master') throw new Error(`${master.host}:${master.port} is no master.`)
      if (isClosed) return
      current = client
      report.found()
      for (const listener of listeners) listener()
      await lost
    } finally {
      if (current === client) current = undefined
      client.destroy()
    }
  }

  return {
    get isReady() {
      return current?.isReady === true
    },
    commands: () => {
      if (current === undefined) throw new Error('No Redis master is connected.')
      return current
    },
    keyServers: async () => (current === undefined ? [] : [current]),
    onReady: (listener) => void listeners.push(listener),
    close: async () => {
      isClosed = true
      await current?.close()
    },
    destroy: () => {
      isClosed = true
      current?.destroy()
    },
  }
}

/** Asks the sentinels in turn, each attempt from another one, because one may be outdated. */
async function findMaster(
  { name, sentinels, tls, sentinelAccount }: SentinelServers,
  attempt: number,
): Promise<RedisNode> {
  const failures: unknown[] = []
  for (let index = 0; index < sentinels.length; index += 1) {
    const sentinel = sentinels[(attempt + index) % sentinels.length]
    if (sentinel === undefined) break
    const url = urlOf(sentinel, tls)
    const client = openPlain({ url, role: 'sentinel', account: sentinelAccount, reconnectStrategy: false })
    client.on('error', (error) => failures.push(error))
    try {
      await client.connect()
      const reply = await withinTime(client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]))
      if (Array.isArray(reply)) return { host: String(reply[0]), port: Number(reply[1]) }
      failures.push(new Error(`The sentinels know no servers by the name "${name}".`))
    } catch (error) {
      failures.push(error)
    } finally {
      client.destroy()
    }
  }
  throw failures.at(-1)
}
