import type { Log } from '../../ports/log.ts'
import type { RunOperation } from '../sql/engine.ts'
import { openStoreThread } from './store-thread.ts'

/** The main thread's end of the writer. */
export interface Writer {
  write: RunOperation
  ping(): Promise<void>
  /** Writes that have no answer yet. */
  pendingCount(): number
  /** Finishes what was accepted. */
  close(): Promise<void>
}

export interface WriterOptions {
  path: string
  log: Log
  /** Another body for the thread, for tests that break it. */
  threadFile?: URL
}

const PENDING_MAX = 10_000
const THREAD_FILE = new URL('./writer-thread.ts', import.meta.url)

export function openWriter({ path, log, threadFile = THREAD_FILE }: WriterOptions): Writer {
  const thread = openStoreThread({
    name: 'writer',
    path,
    log,
    threadFile,
    pendingMax: PENDING_MAX,
  })
  return {
    write: ({ name }, args) => {
      const { promise, ...caller } = Promise.withResolvers<unknown>()
      thread.call(name, args, caller)
      return promise
    },
    ping: () => {
      const { promise, ...caller } = Promise.withResolvers<void>()
      thread.call('ping', [], caller)
      return promise
    },
    pendingCount: thread.pendingCount,
    close: thread.close,
  }
}
