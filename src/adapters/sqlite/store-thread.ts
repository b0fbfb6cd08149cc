import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../ports/log.ts'
import type { Call, Reply, ToThread } from './messages.ts'
import { fromSentError, unavailable } from './sent-error.ts'

/** The main thread's end of a thread with a connection of its own. */
export interface StoreThread {
  call(name: string, args: readonly unknown[], caller: Waiting): void
  /** Calls that have no answer yet. */
  pendingCount(): number
  /** Finishes what was accepted. */
  close(): Promise<void>
}

/** Written as methods so that a typed caller fits: the thread answers each call with what its operation returned. */
export interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface StoreThreadOptions {
  /** Whose death the log tells. */
  name: 'writer' | 'reader'
  path: string
  log: Log
  threadFile: URL
  /** More than this is a store that cannot keep up; refusing is kinder than an ever longer queue. */
  pendingMax: number
}

/** One that dies at once, as on a lost disk, is not started again for each request. */
const RESTART_PAUSE_MS = 250
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 2 }
const DEATHS = {
  writer: 'store.writer_died',
  reader: 'store.reader_died',
} as const satisfies Record<StoreThreadOptions['name'], string>

/** Starts at the first call, and again when it has died. */
export function openStoreThread({
  name: role,
  path,
  log,
  threadFile,
  pendingMax,
}: StoreThreadOptions): StoreThread {
  const pending = new Map<number, Waiting>()
  let outbox: Call[] = []
  let lastId = 0
  let thread: Worker | undefined
  let restartAtMs = 0
  let isClosed = false

  function call(name: string, args: readonly unknown[], caller: Waiting): void {
    const reason = reasonToRefuse()
    if (reason !== undefined) {
      caller.reject(unavailable(new Error(reason)))
      return
    }
    lastId += 1
    pending.set(lastId, caller)
    outbox.push({ id: lastId, name, args })
    if (outbox.length === 1) queueMicrotask(send)
  }

  function reasonToRefuse(): string | undefined {
    if (isClosed) return 'the store is closed'
    if (pending.size >= pendingMax) return `too many calls wait for the ${role}`
    if (thread === undefined && performance.now() < restartAtMs) return `the ${role} has just died`
    return undefined
  }

  /** One message for all calls of a turn: crossing between threads costs more than most writes. */
  function send(): void {
    const calls = outbox
    if (calls.length === 0) return
    outbox = []
    thread ??= start()
    thread.ref()
    try {
      post(thread, { kind: 'calls', calls })
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

  function receive(replies: Reply[]): void {
    for (const reply of replies) {
      answer(reply.id, (caller) =>
        'failure' in reply ? caller.reject(fromSentError(reply.failure)) : caller.resolve(reply.result),
      )
    }
  }

  function answer(id: number, how: (caller: Waiting) => void): void {
    const caller = pending.get(id)
    if (caller === undefined) return
    pending.delete(id)
    // An idle thread keeps no process alive.
    if (pending.size === 0) thread?.unref()
    how(caller)
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

/** With the program's own cache the thread need not strip and compile its sources again: half the memory, half the start. */
function threadEnvironment(): Record<string, string> {
  const cacheDir = getCompileCacheDir()
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheDir) }
}

async function end(thread: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  thread.ref()
  post(thread, { kind: 'close' })
  await ended
}

function post(thread: Worker, message: ToThread): void {
  thread.postMessage(message)
}
