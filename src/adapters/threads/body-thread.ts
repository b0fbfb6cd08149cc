import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { HeavyJobs } from '../../llm/body/heavy-jobs.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { JobEnd, Threads } from '../../ports/threads.ts'
import { type FromThread, refusalOf, type ToThread } from './messages.ts'

export interface BodyThread extends Threads<HeavyJobs> {
  close(): Promise<void>
}

export interface BodyThreadOptions {
  log: Log
  metrics: Metrics
  /** Another body for the thread, for tests that break it. */
  threadFile?: URL
  jobMsMax?: number
  idleMsMax?: number
  waitingMax?: number
  waitingEachMax?: number
  memoryMbMax?: number
}

interface Job extends ToThread {
  bytes: Buffer<ArrayBuffer>
  holder: string
  signal: AbortSignal
  onAbort(): void
  resolve(end: JobEnd<unknown>): void
  reject(error: Error): void
}

const THREAD_FILE = new URL('./heavy-job-thread.ts', import.meta.url)
/** The largest body of the most values takes a tenth of this on a slow machine. */
const JOB_MS_MAX = 30_000
/** A thread that read megabytes keeps memory for more; one that has nothing to do gives it back. */
const IDLE_MS_MAX = 60_000
const WAITING_MAX = 256
const WAITING_EACH_MAX = 32
/** A body of 32 MiB is there several times while it is converted, two bytes a character. */
const MEMORY_MB_MAX = 1_024
const YOUNG_MB_MAX = 64

/**
 * The main thread's end of the thread for heavy bodies. It is started by the first job, and again when it has died: then
 * only the job that it had is lost.
 */
export function openBodyThread({
  log,
  metrics,
  threadFile = THREAD_FILE,
  jobMsMax = JOB_MS_MAX,
  idleMsMax = IDLE_MS_MAX,
  waitingMax = WAITING_MAX,
  waitingEachMax = WAITING_EACH_MAX,
  memoryMbMax = MEMORY_MB_MAX,
}: BodyThreadOptions): BodyThread {
  const queue = new FairQueue<Job>()
  let running: Job | undefined
  let thread: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  metrics.watchPool('heavy bodies', () => ({
    busy: running === undefined ? 0 : 1,
    idle: running === undefined ? 1 : 0,
    waiting: queue.size,
  }))

  function enter(job: Job): void {
    const refusal = refusalFor(job)
    if (refusal !== undefined) {
      job.reject(refusal)
      return
    }
    job.signal.addEventListener('abort', job.onAbort)
    queue.push(job.holder, job)
    next()
  }

  function refusalFor({ holder, signal }: Job): Refusal | undefined {
    if (isClosed || signal.aborted || queue.size >= waitingMax) return new Refusal('overloaded')
    if (queue.sizeOf(holder) < waitingEachMax) return undefined
    return new Refusal('rate_limit_exceeded', { message: 'Too many large requests at once.' })
  }

  function next(): void {
    if (running !== undefined) return
    clearTimeout(timer)
    const job = queue.shift()
    running = job
    if (job === undefined) {
      rest()
      return
    }
    job.signal.removeEventListener('abort', job.onAbort)
    thread ??= start()
    thread.ref()
    timer = setTimeout(() => dropThread(new Refusal('overloaded')), jobMsMax)
    post(job, thread)
  }

  function post({ name, bytes, args, reject }: Job, worker: Worker): void {
    try {
      worker.postMessage({ name, bytes, args } satisfies ToThread, [bytes.buffer])
    } catch (cause) {
      running = undefined
      reject(new Refusal('internal_error', { cause }))
      next()
    }
  }

  /** An idle thread keeps no process alive, and not for long its memory. */
  function rest(): void {
    thread?.unref()
    timer = setTimeout(() => dropThread(new Refusal('overloaded')), idleMsMax)
    timer.unref()
  }

  function start(): Worker {
    const worker = new Worker(threadFile, {
      name: 'sluice-bodies',
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    let reason: unknown = new Error('the thread for heavy bodies ended')
    worker.on('message', (message: FromThread) => {
      if (thread === worker) settle(message)
    })
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (thread !== worker) return
      log.error('the thread for heavy bodies died', { error: reason })
      dropThread(refusalOfDeath(reason))
    })
    return worker
  }

  function settle(message: FromThread): void {
    const job = running
    running = undefined
    const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength)
    if ('result' in message) job?.resolve({ bytes, result: message.result })
    else if ('refusal' in message) job?.resolve({ bytes, refused: refusalOf(message.refusal) })
    else job?.resolve({ bytes, refused: new Refusal('internal_error', { cause: message.fault }) })
    next()
  }

  /** What it was doing is lost; what waits goes to the one after it. */
  function dropThread(refusal: Refusal): void {
    const job = running
    const dropped = thread
    running = undefined
    thread = undefined
    void dropped?.terminate()
    job?.reject(refusal)
    if (queue.size > 0) next()
    else clearTimeout(timer)
  }

  return {
    run(name, bytes, args, { holder, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<JobEnd<unknown>>()
      const job: Job = {
        ...{ name, args, holder, signal, resolve, reject },
        bytes: ownBytes(bytes),
        onAbort() {
          if (queue.remove(holder, job)) reject(new Refusal('overloaded'))
        },
      }
      enter(job)
      // What a job gives back was checked where it was written: between the threads it is only data.
      return promise as Promise<JobEnd<ReturnType<HeavyJobs[typeof name]>>>
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (let job = queue.shift(); job !== undefined; job = queue.shift())
        job.reject(new Refusal('overloaded'))
      const last = thread
      dropThread(new Refusal('overloaded'))
      await last?.terminate()
    },
  }
}

/** A view of a part cannot be handed over without the rest. */
function ownBytes(bytes: Buffer): Buffer<ArrayBuffer> {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return Buffer.from(buffer)
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

function refusalOfDeath(reason: unknown): Refusal {
  const isOutOfMemory =
    reason instanceof Error && 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? new Refusal('body_too_large', { message: 'The request body takes too much memory to be read.' })
    : new Refusal('internal_error', { cause: reason })
}

/** With the program's own cache the thread need not strip and compile its sources again. */
function threadEnvironment(): Record<string, string> {
  const cacheDir = getCompileCacheDir()
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheDir) }
}
