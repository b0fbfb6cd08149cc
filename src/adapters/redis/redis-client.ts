import { createClient } from '@redis/client'
import type { Log } from '../../ports/log.ts'
import { ANSWER_TIMEOUT_MS, withinTime } from './within-time.ts'

export type PlainClient = ReturnType<typeof openPlain>

/** The commands that the adapters use; one server and a cluster take them alike. */
export interface RedisCommands
  extends Pick<PlainClient, 'get' | 'set' | 'del' | 'eval' | 'evalSha' | 'hmGet' | 'publish' | 'ping'> {
  subscribe(topic: string, listener: (message: string, topic: string) => void): Promise<void>
  unsubscribe(topic: string): Promise<void>
}

/** Connects in the background and again after every loss, and refuses commands meanwhile. */
export interface RedisClient {
  readonly isReady: boolean
  /** Throws while no server is known that could take one. */
  commands(): RedisCommands
  /** One for each server that has keys of its own. */
  keyServers(): Promise<Pick<PlainClient, 'scan'>[]>
  /** Called after every connect. */
  onReady(listener: () => void): void
  /** Waits for answers. */
  close(): Promise<void>
  destroy(): void
}

export interface ClientOptions {
  log: Log
  role: 'commands' | 'news'
}

/** Resolves when connected, and also when that takes too long: the process then serves without Redis. */
export async function whenReady(client: RedisClient): Promise<void> {
  if (client.isReady) return
  await withinTime(new Promise<void>((resolve) => client.onReady(resolve))).catch(() => {})
}

const PING_INTERVAL_MS = 1_000
const SILENCE_MAX_MS = 3_000

/** The pings keep `socketTimeout`, which ends a connection that has gone silent, from ending an idle one. */
export function connectionOptions(role: string) {
  return {
    name: `sluice-${role}`,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: PING_INTERVAL_MS,
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: ANSWER_TIMEOUT_MS,
      socketTimeout: SILENCE_MAX_MS,
    },
  } as const
}

/** A client of one server. */
export function openPlain({
  url,
  role,
  account = {},
  reconnectStrategy = reconnectDelayMs,
}: {
  url: string
  role: ClientOptions['role'] | 'sentinel'
  account?: { username?: string; password?: string }
  reconnectStrategy?: false | (() => number)
}) {
  const options = connectionOptions(role)
  return createClient({ ...options, url, ...account, socket: { ...options.socket, reconnectStrategy } })
}

/** Short enough to be back well within a second, spread so that replicas do not return in step. */
export function reconnectDelayMs(): number {
  return 50 + Math.random() * 150
}

/** One line when it goes and one when it is back, not one for each attempt. */
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
