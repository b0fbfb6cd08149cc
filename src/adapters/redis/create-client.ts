import { createCluster } from '@redis/client'
import {
  type ClientOptions,
  connectionOptions,
  openPlain,
  type RedisClient,
  reconnectDelayMs,
  reportChanges,
} from './redis-client.ts'
import { type RedisServers, readRedisUrl, urlOf } from './redis-servers.ts'
import { createSentinelClient } from './sentinel-client.ts'

export function createRedisClient({ url, ...options }: ClientOptions & { url: string }): RedisClient {
  const servers = readRedisUrl(url)
  if (servers.kind === 'sentinel') return createSentinelClient(servers, options)
  return servers.kind === 'cluster'
    ? createClusterClient(servers, options)
    : createOneClient(servers, options)
}

function createOneClient(
  { url }: Extract<RedisServers, { kind: 'one' }>,
  options: ClientOptions,
): RedisClient {
  const client = openPlain({ url, role: options.role })
  const report = reportChanges(options)
  client.on('error', report.lost)
  client.on('ready', report.found)
  client.connect().catch(() => {
    // This rejects only for a client that is closed before it connects; failures are error events.
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
