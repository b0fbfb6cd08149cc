import type { Log } from '../../ports/log.ts'
import type { RunOperation } from '../sql/engine.ts'
import { openStoreThread } from './store-thread.ts'

export interface Writer {
  write: RunOperation
  ping(): Promise<void>
  /** Number of writes without a reply. */
  pendingCount(): number
  /** Finishes accepted writes. */
  close(): Promise<void>
}

export interface WriterOptions {
  path: string
  log: Log
  /** File of the thread; tests replace it. */
  threadFile?: URL
}

const PENDING_MAX = 10_000
const THREAD_FILE = new URL('./writer-thread.ts', import.meta.url)

export function openWriter({ path, log, threadFile = THREAD_FILE }: WriterOptions): Writer {
  const thread = openStoreThread({ name: 'writer', path, log, threadFile, pendingMax: PENDING_MAX })
  return {
    write: ({ name }, args) => thread.call(name, args),
    ping: async () => void (await thread.call('ping', [])),
    pendingCount: thread.pendingCount,
    close: thread.close,
  }
}
