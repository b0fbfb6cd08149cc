import type { Log } from '../../ports/log.ts'
import { createLongReads } from '../sql/long-reads.ts'
import type {
  ReadArgs,
  ReadName,
  ReadResult,
  ReportArgs,
  ReportName,
  ReportResult,
} from '../sql/run-operation.ts'
import type { ReaderCallName } from './messages.ts'
import { openStoreThread } from './store-thread.ts'

/** The main thread's end of the reader, which looks at many rows while requests go on. */
export interface Reader {
  /** Organizations take turns: one with many searches waits behind its own. */
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<ReadResult<Name>>
  report<Name extends ReportName>(name: Name, args: ReportArgs<Name>): Promise<ReportResult<Name>>
  /** Finishes what was accepted. */
  close(): Promise<void>
}

const THREAD_FILE = new URL('./reader-thread.ts', import.meta.url)

export function openReader({ path, log }: { path: string; log: Log }): Reader {
  const thread = openStoreThread<ReaderCallName>({
    name: 'reader',
    path,
    log,
    threadFile: THREAD_FILE,
    pendingMax: 1,
  })
  // One at a time is given to the thread: what it was given it does in that order.
  const reads = createLongReads({ atOnceMax: 1 })

  function call<Result>(name: ReaderCallName, args: unknown): Promise<Result> {
    return reads.run(args, () => {
      const { promise, ...caller } = Promise.withResolvers<Result>()
      thread.call(name, args, caller)
      return promise
    })
  }

  return {
    read: call,
    report: call,
    async close() {
      await reads.close()
      await thread.close()
    },
  }
}
