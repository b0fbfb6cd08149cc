import { createHash } from 'node:crypto'
import type { RedisCommands } from './redis-client.ts'

export type RunScript = (
  client: RedisCommands,
  call: { keys: string[]; arguments: string[] },
) => Promise<unknown>

/** Returns a function that sends the digest of a script, and its text only to a server that lacks it. */
export function toScript(text: string): RunScript {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (client, call) => {
    try {
      return await client.evalSha(digest, call)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(text, call)
    }
  }
}
