import { createClient } from '@redis/client'
import type { Log } from '../../ports/log.ts'
import { ANSWER_TIMEOUT_MS, withinTime } from './within-time.ts'

export type RedisClient = ReturnType<typeof createRedisClient>

/**
 * A client that connects in the background and again after every loss, and refuses commands meanwhile.
 * The pings keep `socketTimeout`, which ends a connection that has gone silent, from ending an idle one.
 */
export function createRedisClient({ url, log, role }: { url: string; log: Log; role: 'commands' | 'news' }) {
  const client = createClient({
    url,
    name: `sluice-${role}`,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: PING_INTERVAL_MS,
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: ANSWER_TIMEOUT_MS,
      socketTimeout: SILENCE_MAX_MS,
      reconnectStrategy: reconnectDelayMs,
    },
  })
  reportChanges(client, { log, role })
  client.connect().catch(() => {
    // Rejects only when it is closed before it ever connected; every failed attempt was reported as an error event.
  })
  return client
}

/** Resolves when connected, and also when that takes too long: the process then serves without Redis. */
export async function whenReady(client: RedisClient): Promise<void> {
  if (client.isReady) return
  await withinTime(new Promise<void>((resolve) => client.once('ready', resolve))).catch(() => {})
}

const PING_INTERVAL_MS = 1_000
const SILENCE_MAX_MS = 3_000

/** Short enough to be back well within a second, spread so that replicas do not return in step. */
function reconnectDelayMs(): number {
  return 50 + Math.random() * 150
}

interface Reporting {
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/** One line when it goes and one when it is back, not one for each attempt. */
function reportChanges(client: Reporting, { log, role }: { log: Log; role: string }): void {
  let away = false
  client.on('error', (error) => {
    if (!away) log.warn('redis.unreachable', { engine: 'redis', reason: role, error })
    away = true
  })
  client.on('ready', () => {
    if (away) log.info('redis.reachable', { engine: 'redis', reason: role })
    away = false
  })
}
