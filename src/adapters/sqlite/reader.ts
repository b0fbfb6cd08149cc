import type { Log } from '../../ports/log.ts'
import type {
  ReadArgs,
  ReadName,
  ReadResult,
  ReportArgs,
  ReportName,
  ReportResult,
} from '../sql/operations.ts'
import type { ReaderCallName } from './messages.ts'
import { openStoreThread } from './store-thread.ts'

/** The main thread's end of the reader, which looks at many rows while requests go on. */
export interface Reader {
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<ReadResult<Name>>
  report<Name extends ReportName>(name: Name, args: ReportArgs<Name>): Promise<ReportResult<Name>>
  /** Finishes what was accepted. */
  close(): Promise<void>
}

/** A search over 200,000 names takes a tenth of a second, and a client waits only so long. */
const PENDING_MAX = 64
const THREAD_FILE = new URL('./reader-thread.ts', import.meta.url)

export function openReader({ path, log }: { path: string; log: Log }): Reader {
  const thread = openStoreThread<ReaderCallName>({
    name: 'reader',
    path,
    log,
    threadFile: THREAD_FILE,
    pendingMax: PENDING_MAX,
  })
  return {
    read: <Name extends ReadName>(name: Name, args: ReadArgs<Name>) => {
      const { promise, ...caller } = Promise.withResolvers<ReadResult<Name>>()
      thread.call(name, args, caller)
      return promise
    },
    report: <Name extends ReportName>(name: Name, args: ReportArgs<Name>) => {
      const { promise, ...caller } = Promise.withResolvers<ReportResult<Name>>()
      thread.call(name, args, caller)
      return promise
    },
    close: thread.close,
  }
}
