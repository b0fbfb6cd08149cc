import type { Log } from '../../ports/log.ts'
import type { RunOperation } from '../sql/engine.ts'
import { createLongReads } from '../sql/long-reads.ts'
import { openStoreThread } from './store-thread.ts'

/** The main thread's end of the reader, which looks at many rows while requests go on. */
export interface Reader {
  /** Organizations take turns: one with many searches waits behind its own. */
  read: RunOperation
  /** Finishes what was accepted. */
  close(): Promise<void>
}

const THREAD_FILE = new URL('./reader-thread.ts', import.meta.url)

export function openReader({ path, log }: { path: string; log: Log }): Reader {
  const thread = openStoreThread({
    name: 'reader',
    path,
    log,
    threadFile: THREAD_FILE,
    pendingMax: 1,
  })
  // One at a time is given to the thread: what it was given it does in that order.
  const reads = createLongReads({ atOnceMax: 1 })

  return {
    read: ({ name }, args) =>
      reads.run(args[0], () => {
        const { promise, ...caller } = Promise.withResolvers<unknown>()
        thread.call(name, args, caller)
        return promise
      }),
    async close() {
      await reads.close()
      await thread.close()
    },
  }
}
