import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Log } from '../../ports/log.ts'
import type {
  ReadArgs,
  ReadName,
  ReadResult,
  ReportArgs,
  ReportName,
  ReportResult,
} from '../sql/operations.ts'
import { unavailable } from './failure.ts'
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

/** A search over 200,000 names takes a tenth of a second, and a client waits only so long. */
const PENDING_MAX = 64
/** Of one organization: whatever it searches for, some room is left for the others. */
const PENDING_EACH_MAX = 32
const THREAD_FILE = new URL('./reader-thread.ts', import.meta.url)

export function openReader({ path, log }: { path: string; log: Log }): Reader {
  const thread = openStoreThread<ReaderCallName>({
    name: 'reader',
    path,
    log,
    threadFile: THREAD_FILE,
    pendingMax: PENDING_MAX,
  })
  const queue = new FairQueue<() => Promise<void>>()
  let underWay: Promise<void> | undefined
  let isClosed = false

  /** One at a time is given to the thread: what it was given it does in that order. */
  function call<Result>(holder: string, name: ReaderCallName, args: unknown): Promise<Result> {
    const refusal = refusalFor(holder)
    if (refusal !== undefined) return Promise.reject(refusal)
    const { promise, ...caller } = Promise.withResolvers<Result>()
    queue.push(holder, () => {
      thread.call(name, args, caller)
      return promise.then(
        () => {},
        () => {},
      )
    })
    underWay ??= work()
    return promise
  }

  function refusalFor(holder: string): Refusal | undefined {
    if (isClosed) return unavailable(new Error('the store is closed'))
    if (queue.size >= PENDING_MAX) return unavailable(new Error('too many calls wait for the reader'))
    if (queue.sizeOf(holder) < PENDING_EACH_MAX) return undefined
    return new Refusal('rate_limit_exceeded', { message: 'Too many searches at once.' })
  }

  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next()
    underWay = undefined
  }

  return {
    read: (name, args) => call(holderOf(args), name, args),
    report: (name, args) => call('', name, args),
    async close() {
      isClosed = true
      await underWay
      await thread.close()
    },
  }
}

/** What no organization asks for is the operator's. */
function holderOf(args: unknown): string {
  const { organizationId = '' }: { organizationId?: string } = Object(args)
  return organizationId
}
