import type { Log } from '../../ports/log.ts'
import { createRedisClient, type RedisClient, whenReady } from './redis-client.ts'
import { withinTime } from './within-time.ts'

export interface CommandConnection {
  /** Rejects at once while Redis is unreachable, and after a second without an answer. */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>
  /** Resolves when connected, or after a while without. */
  connected(): Promise<void>
  isReady(): boolean
  /** Commands that wait for their answer. */
  pending(): number
  /** Waits for the answers to running commands. */
  close(): Promise<void>
}

/**
 * One pipelined connection for all commands. The client's own timeout ends when a command is written, so that answers
 * are timed here; and one that never comes means a dead connection, which a steady flow of writes would hide.
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
  return {
    run: async (command) => {
      const asked = client
      pending += 1
      try {
        return await withinTime(command(asked), () => replace(asked))
      } finally {
        pending -= 1
      }
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
