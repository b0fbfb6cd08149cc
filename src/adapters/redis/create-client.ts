import { setTimeout as wait } from 'node:timers/promises'
import { createCluster } from '@redis/client'
import {
  type ClientOptions,
  connectionOptions,
  openPlain,
  type PlainClient,
  type RedisClient,
  reconnectDelayMs,
  reportChanges,
} from './redis-client.ts'
import { type RedisNode, type RedisServers, readRedisUrl, urlOf } from './redis-servers.ts'
import { withinTime } from './within-time.ts'

export function createRedisClient({ url, ...options }: ClientOptions & { url: string }): RedisClient {
  const servers = readRedisUrl(url)
  if (servers.kind === 'sentinel') return createSentinelClient(servers, options)
  return servers.kind === 'cluster'
    ? createClusterClient(servers, options)
    : createOneClient(servers, options)
}

function createOneClient(input: Extract<RedisServers, { kind: 'one' }>, options: ClientOptions): RedisClient {
  const { url } = input
  const client = openPlain({ url, role: options.role })
  const report = reportChanges(options)
  client.on('error', report.lost)
  client.on('ready', report.found)
  client.connect().catch(() => {
    // `connect` rejects only when the client is closed before it connects; failures are error events.
  })
  return {
    get isReady() {
      return client.isReady
    },
    commands: () => client,
    keyServers: async () => [client],
    onReady: (listener) => void client.on('ready', listener),
    close: () => client.close(),
    destroy: () => client.destroy(),
  }
}

/** Time for which a node is unreachable before the other nodes are asked for the new owner of its keys. */
const TOPOLOGY_REFRESH_MS = 500

/** Creates a client of a cluster. Keys of one script have the same hash tag, so that all are on one node. */
function createClusterClient(
  { nodes, tls, account }: Extract<RedisServers, { kind: 'cluster' }>,
  options: ClientOptions,
): RedisClient {
  const { commandOptions, ...connection } = connectionOptions(options.role)
  const cluster = createCluster({
    rootNodes: nodes.map((node) => ({ url: urlOf(node, tls) })),
    defaults: {
      ...connection,
      ...account,
      socket: { ...connection.socket, tls, reconnectStrategy: reconnectDelayMs },
    },
    commandOptions,
    topologyRefreshOnReconnectionAttemptStrategy: TOPOLOGY_REFRESH_MS,
  })
  const report = reportChanges(options)
  const listeners: (() => void)[] = []
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  const found = () => {
    report.found()
    for (const listener of listeners) listener()
  }
  cluster.on('error', report.lost)
  cluster.on('node-error', report.lost)
  cluster.on('node-ready', report.found)
  const connect = () => {
    cluster.connect().then(found, (error: unknown) => {
      report.lost(error)
      if (!isClosed) retry = setTimeout(connect, reconnectDelayMs())
    })
  }
  connect()
  return {
    get isReady() {
      return cluster.isReady
    },
    commands: () => cluster,
    keyServers: () => Promise.all(cluster.masters.map((master) => cluster.nodeClient(master))),
    onReady: (listener) => void listeners.push(listener),
    close: () => cluster.close(),
    destroy: () => {
      isClosed = true
      clearTimeout(retry)
      cluster.destroy()
    },
  }
}

type SentinelServers = Extract<RedisServers, { kind: 'sentinel' }>

/**
 * Creates a client of the server that the sentinels name as master. When its connection is lost, the
 * sentinels are asked again until a server replies that it is the master.
 */
function createSentinelClient(servers: SentinelServers, options: ClientOptions): RedisClient {
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

  /** Uses one master, and rejects when the connection to it is lost. */
  async function serveOne(master: RedisNode): Promise<void> {
    const { account, tls, database } = servers
    const url = `${urlOf(master, tls)}/${database}`
    const client = openPlain({ url, role: options.role, account, reconnectStrategy: false })
    const lost = new Promise<void>((_resolve, reject) => client.on('error', reject))
    lost.catch(() => {})
    try {
      await client.connect()
      const reply = await withinTime(client.role())
      if (reply?.role !== 'master') throw new Error(`${master.host}:${master.port} is not a master.`)
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

/** Asks the sentinels in turn. Each attempt begins with another sentinel, because one may be outdated. */
async function findMaster(input: SentinelServers, attempt: number): Promise<RedisNode> {
  const { name, sentinels, tls, sentinelAccount } = input
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
