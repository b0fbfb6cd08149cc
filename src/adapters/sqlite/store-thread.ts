import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../ports/log.ts'
import type { StoreCall, StoreReply, StoreThreadMessage } from './messages.ts'
import { fromSentError, unavailable } from './sent-error.ts'

/** Runs statements on a thread with its own connection. */
export interface StoreThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>
  /** Number of calls without a reply. */
  pendingCount(): number
  /** Finishes accepted calls. */
  close(): Promise<void>
}

type StoreCaller = Omit<PromiseWithResolvers<unknown>, 'promise'>

export interface StoreThreadOptions {
  name: 'writer' | 'reader'
  path: string
  log: Log
  threadFile: URL
  /** Maximum number of calls without a reply; further calls are refused. */
  pendingMax: number
}

/** Pause before a dead thread is restarted, because a lost disk would end it again for each request. */
const RESTART_PAUSE_MS = 250
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 2 }
const DEATHS = {
  writer: 'store.writer_died',
  reader: 'store.reader_died',
} as const satisfies Record<StoreThreadOptions['name'], string>

/** Starts the thread with the first call, and again with the first call after it has died. */
export function openStoreThread(input: StoreThreadOptions): StoreThread {
  const { name: role, path, log, threadFile, pendingMax } = input
  const pending = new Map<number, StoreCaller>()
  let outbox: StoreCall[] = []
  let lastId = 0
  let thread: Worker | undefined
  let restartAtMs = 0
  let isClosed = false

  function call(name: string, args: readonly unknown[]): Promise<unknown> {
    const reason = reasonToRefuse()
    if (reason !== undefined) return Promise.reject(unavailable(new Error(reason)))
    const caller = Promise.withResolvers<unknown>()
    lastId += 1
    pending.set(lastId, caller)
    outbox.push({ id: lastId, name, args })
    if (outbox.length === 1) queueMicrotask(send)
    return caller.promise
  }

  function reasonToRefuse(): string | undefined {
    if (isClosed) return 'the store is closed'
    if (pending.size >= pendingMax) return `too many calls wait for the ${role}`
    if (thread === undefined && performance.now() < restartAtMs) return `the ${role} has just died`
    return undefined
  }

  /** Sends one message for all calls of a turn, because a message costs more than most writes. */
  function send(): void {
    const calls = outbox
    if (calls.length === 0) return
    outbox = []
    thread ??= start()
    thread.ref()
    try {
      thread.postMessage({ kind: 'calls', calls } satisfies StoreThreadMessage)
    } catch (error) {
      for (const { id } of calls) answer(id, (caller) => caller.reject(error))
    }
  }

  function start(): Worker {
    const worker = new Worker(threadFile, {
      name: `sluice-${role}`,
      workerData: { path },
      execArgv: ['--enable-source-maps'],
      env: threadEnvironment(),
      resourceLimits: THREAD_LIMITS,
    })
    let reason: unknown = new Error(`the ${role} ended`)
    worker.on('message', receive)
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
      if (isClosed && pending.size === 0) return
      restartAtMs = performance.now() + RESTART_PAUSE_MS
      log.error(DEATHS[role], { engine: 'sqlite', error: reason, count: pending.size })
      for (const id of [...pending.keys()]) answer(id, (caller) => caller.reject(unavailable(reason)))
    })
    return worker
  }

  function receive(replies: StoreReply[]): void {
    for (const reply of replies) {
      answer(reply.id, (caller) =>
        'failure' in reply ? caller.reject(fromSentError(reply.failure)) : caller.resolve(reply.result),
      )
    }
  }

  function answer(id: number, settle: (caller: StoreCaller) => void): void {
    const caller = pending.get(id)
    if (caller === undefined) return
    pending.delete(id)
    // An idle thread does not keep the process alive.
    if (pending.size === 0) thread?.unref()
    settle(caller)
  }

  return {
    call,
    pendingCount: () => pending.size,
    close: async () => {
      if (isClosed) return
      send()
      isClosed = true
      if (thread !== undefined) await end(thread)
    },
  }
}

/** Shares the program's compile cache, which halves the memory and the start time of the thread. */
function threadEnvironment(): Record<string, string> {
  const cacheDir = getCompileCacheDir()
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheDir) }
}

async function end(thread: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  thread.ref()
  thread.postMessage({ kind: 'close' } satisfies StoreThreadMessage)
  await ended
}
