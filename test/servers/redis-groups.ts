import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { obtainBinary } from './obtain-binary.ts'
import { startRedis } from './redis-server.ts'
import type { TestServer } from './test-server.ts'

/** Several Redis servers that take over from each other. */
export interface RedisGroup {
  /** Value for `REDIS_URL`. */
  url: string
  /** Kills a master and resolves when another server has taken over. */
  failOver(): Promise<void>
  remove(): Promise<void>
}

/** Short, so that a failover takes about two seconds. */
const DOWN_AFTER_MS = 1_000
const WAIT_MAX_MS = 60_000

/** A master, a replica and three sentinels that watch them under the name `sluice`. */
export async function startRedisWithSentinels(): Promise<RedisGroup> {
  const master = await startRedis({ args: SYNC_NOW })
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', portOf(master), ...SYNC_NOW] })
  await until('the replica has its data', () => isInSync(replica))
  const config = [
    `sentinel monitor sluice 127.0.0.1 ${portOf(master)} 2`,
    `sentinel down-after-milliseconds sluice ${DOWN_AFTER_MS}`,
    'sentinel failover-timeout sluice 3000',
  ].join('\n')
  const sentinels = await Promise.all([1, 2, 3].map(() => startRedis({ config, args: ['--sentinel'] })))
  const ask = (server: TestServer, question: string) => askServer(server, ['SENTINEL', question, 'sluice'])
  await until('the sentinels know each other and the replica', async () => {
    const answers = await Promise.all(sentinels.map((one) => ask(one, 'CKQUORUM').catch(String)))
    const replicas = await Promise.all(sentinels.map((one) => ask(one, 'REPLICAS')))
    return (
      answers.every((answer) => String(answer).startsWith('OK 3')) &&
      replicas.every((known) => Array.isArray(known) && known.length === 1)
    )
  })
  const servers = [master, replica, ...sentinels]
  return {
    url: `redis+sentinel://${sentinels.map((one) => `127.0.0.1:${portOf(one)}`).join(',')}/sluice`,
    failOver: async () => {
      await master.crash()
      await until('the replica is master', async () => (await infoOf(replica)).includes('role:master'))
    },
    remove: () => removeAll(servers),
  }
}

/** Three masters with a third of the keys each, and a replica for each of them. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(DOWN_AFTER_MS), ...SYNC_NOW]
  const servers = await Promise.all(Array.from({ length: 6 }, () => startRedis({ args })))
  const addresses = servers.map((server) => `127.0.0.1:${portOf(server)}`)
  const cli = obtainBinary(REDIS_CLI)
  execFileSync(cli, ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'], {
    stdio: 'ignore',
  })
  const [first, ...others] = servers
  if (first === undefined) throw new Error('There is no first server.')
  await until('all nodes agree and the replicas have their data', async () => {
    const states = await Promise.all(servers.map((server) => askServer(server, ['CLUSTER', 'INFO'])))
    const synced = await Promise.all(servers.map(isInSync))
    return (
      states.every((state) => String(state).includes('cluster_state:ok')) && synced.every((inSync) => inSync)
    )
  })
  return {
    url: `redis+cluster://${addresses.slice(0, 3).join(',')}`,
    failOver: async () => {
      await first.crash()
      await until('another server has the keys of the first', async () => {
        const states = await Promise.all(others.map((server) => askServer(server, ['CLUSTER', 'NODES'])))
        const masters = (nodes: unknown) => String(nodes).match(/master - .* connected \d/g)?.length
        return states.every((nodes) => masters(nodes) === 3)
      })
    },
    remove: () => removeAll(servers),
  }
}

/** Without this setting, a master waits five seconds for more replicas before it sends its data. */
const SYNC_NOW = ['--repl-diskless-sync-delay', '0']

const REDIS_CLI = {
  binaries: ['redis-cli', 'valkey-cli'],
  debianPackage: 'redis-tools',
  homebrewPackage: 'redis',
}

function portOf({ url }: TestServer): string {
  return new URL(url).port
}

async function isInSync(server: TestServer): Promise<boolean> {
  const info = await infoOf(server)
  return info.includes('role:master') || info.includes('master_link_status:up')
}

async function infoOf(server: TestServer): Promise<string> {
  return String(await askServer(server, ['INFO', 'replication']))
}

async function askServer({ url }: TestServer, command: string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand(command)
  } finally {
    client.destroy()
  }
}

/** A server closes its connections when its role changes, so a missing answer is retried. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MAX_MS
  let cause: unknown
  const holdsNow = () =>
    holds().catch((error: unknown) => {
      cause = error
      return false
    })
  while (!(await holdsNow())) {
    if (performance.now() > deadlineMs)
      throw new Error(`After ${WAIT_MAX_MS} ms this is not so: ${what}.`, { cause })
    await wait(50)
  }
}

async function removeAll(servers: readonly TestServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.remove()))
}
