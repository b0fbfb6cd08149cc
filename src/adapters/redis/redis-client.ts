import { createClient } from '@redis/client'
import type { Log } from '../../ports/log.ts'
import { ANSWER_TIMEOUT_MS, withinTime } from './within-time.ts'

export type PlainClient = ReturnType<typeof openPlain>

/** Commands that the adapters use, and that both a single server and a cluster have. */
export interface RedisCommands
  extends Pick<PlainClient, 'get' | 'set' | 'del' | 'eval' | 'evalSha' | 'hmGet' | 'publish' | 'ping'> {
  subscribe(topic: string, listener: (message: string, topic: string) => void): Promise<void>
  unsubscribe(topic: string): Promise<void>
}

/** Client that connects and reconnects in the background, and refuses commands until it is connected. */
export interface RedisClient {
  readonly isReady: boolean
  /** Throws while no server is known. */
  commands(): RedisCommands
  /** Returns a client for each server that has keys. */
  keyServers(): Promise<Pick<PlainClient, 'scan'>[]>
  /** Adds a listener that is called after every connect; for a cluster, only after the first discovery of its nodes. */
  onReady(listener: () => void): void
  close(): Promise<void>
  destroy(): void
}

export interface ClientOptions {
  log: Log
  role: 'commands' | 'news'
}

/** Resolves when connected, or after a timeout; the process then serves without Redis. */
export async function whenReady(client: RedisClient): Promise<void> {
  if (client.isReady) return
  await withinTime(new Promise<void>((resolve) => client.onReady(resolve))).catch(() => {})
}

const PING_INTERVAL_MS = 1_000
const SILENCE_MAX_MS = 3_000

/** Returns options: `socketTimeout` closes a silent connection, and pings keep an idle one open. */
export function connectionOptions(role: string) {
  return {
    name: `sluice-${role}`,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: PING_INTERVAL_MS,
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: ANSWER_TIMEOUT_MS, socketTimeout: SILENCE_MAX_MS },
  } as const
}

export function openPlain(input: {
  url: string
  role: ClientOptions['role'] | 'sentinel'
  account?: { username?: string; password?: string }
  reconnectStrategy?: false | (() => number)
}) {
  const { url, role, account = {}, reconnectStrategy = reconnectDelayMs } = input
  const options = connectionOptions(role)
  return createClient({ ...options, url, ...account, socket: { ...options.socket, reconnectStrategy } })
}

/** Returns a random delay, so that replicas do not reconnect at the same time. */
export function reconnectDelayMs(): number {
  return 50 + Math.random() * 150
}

/** Logs the loss and the return of a connection, but not every attempt. */
export function reportChanges({ log, role }: ClientOptions) {
  let isLost = false
  return {
    lost(error: unknown): void {
      if (!isLost) log.warn('redis.unreachable', { engine: 'redis', reason: role, error })
      isLost = true
    },
    found(): void {
      if (isLost) log.info('redis.reachable', { engine: 'redis', reason: role })
      isLost = false
    },
  }
}
