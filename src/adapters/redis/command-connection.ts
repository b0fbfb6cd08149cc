import type { Log } from '../../ports/log.ts'
import { createRedisClient } from './create-client.ts'
import { type RedisClient, type RedisCommands, whenReady } from './redis-client.ts'
import { withinTime } from './within-time.ts'

export interface CommandConnection {
  /** Rejects immediately while Redis is unreachable, and after a second without a reply. */
  run<T>(command: (client: RedisCommands) => Promise<T>): Promise<T>
  /** Finds matching keys that exist during the whole scan. Calls must be rare, because each scans all keys. */
  scanKeys(pattern: string): Promise<string[]>
  /** Resolves when connected, or after a timeout. */
  connected(): Promise<void>
  isReady(): boolean
  pending(): number
  /** Waits for the replies to running commands, at most `ANSWER_TIMEOUT_MS`. */
  close(): Promise<void>
}

/** Number of keys that Redis scans in one step; other commands run between the steps. */
const SCAN_STEP_KEYS = 1_000

/**
 * Opens one pipelined connection for all commands. The client's own timeout covers only the writing of a
 * command, so this connection limits the time until the reply. Without a reply it reconnects, because steady
 * writes would hide a dead connection.
 */
export function openCommandConnection(options: { url: string; log: Log }): CommandConnection {
  const connect = () => createRedisClient({ ...options, role: 'commands' })
  let client = connect()
  let closed = false
  let pending = 0
  const replace = (silent: RedisClient) => {
    if (silent !== client || closed) return
    options.log.warn('redis.reconnecting', { engine: 'redis' })
    client = connect()
    silent.destroy()
  }
  const timed = async <T>(target: RedisClient, answer: Promise<T>): Promise<T> => {
    pending += 1
    try {
      return await withinTime(answer, () => replace(target))
    } finally {
      pending -= 1
    }
  }
  return {
    run: async (command) => timed(client, command(client.commands())),
    scanKeys: async (pattern) => {
      const target = client
      const found = new Set<string>()
      for (const server of await timed(target, target.keyServers())) {
        let cursor = '0'
        do {
          const step = await timed(target, server.scan(cursor, { MATCH: pattern, COUNT: SCAN_STEP_KEYS }))
          for (const key of step.keys) found.add(key)
          cursor = step.cursor
        } while (cursor !== '0')
      }
      return [...found]
    },
    connected: () => whenReady(client),
    isReady: () => client.isReady,
    pending: () => pending,
    close: async () => {
      if (closed) return
      closed = true
      if (client.isReady) await withinTime(client.close()).catch(() => {})
      client.destroy()
    },
  }
}
