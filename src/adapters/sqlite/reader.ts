import type { Log } from '../../ports/log.ts'
import type { RunOperation } from '../sql/engine.ts'
import { createLongReads } from '../sql/long-reads.ts'
import { openStoreThread } from './store-thread.ts'

/** Runs long reads on a thread while the main thread serves requests. */
export interface Reader {
  /** Runs a long read. Organizations take turns, so that many searches of one organization mostly delay each other. */
  read: RunOperation
  /** Finishes accepted reads. */
  close(): Promise<void>
}

const THREAD_FILE = new URL('./reader-thread.ts', import.meta.url)

export function openReader({ path, log }: { path: string; log: Log }): Reader {
  const thread = openStoreThread({ name: 'reader', path, log, threadFile: THREAD_FILE, pendingMax: 1 })
  // The thread gets one read at a time, so that turns decide the order.
  const reads = createLongReads({ concurrentMax: 1 })

  return {
    read: ({ name }, args) => reads.run(args[0], () => thread.call(name, args)),
    async close() {
      await reads.close()
      await thread.close()
    },
  }
}
