import { ApiError } from '../../domain/api-error.ts'
import { FairQueue } from '../../domain/fair-queue.ts'
import type { HeavyJobs } from '../../llm/body/heavy-jobs.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { JobEnd, Threads } from '../../ports/threads.ts'
import { BodyThread, type BodyThreadSettings, type Job } from './body-thread.ts'

export interface BodyThreads extends Threads<HeavyJobs> {
  close(): Promise<void>
}

export interface BodyThreadsOptions extends Partial<BodyThreadSettings> {
  log: Log
  metrics: Metrics
  waitingMax?: number
  waitingEachMax?: number
}

interface WaitingJob extends Job {
  signal: AbortSignal
  onAbort(): void
}

const THREAD_FILE = new URL('./heavy-job-thread.ts', import.meta.url)
/** An organization runs one job at a time, so that the second thread is free for the others. */
const THREADS = 2
/** The largest body of the most values takes a tenth of this on a slow machine. */
const JOB_MS_MAX = 30_000
/** A thread that read megabytes keeps memory for more; one that has nothing to do gives it back. */
const IDLE_MS_MAX = 60_000
const WAITING_MAX = 256
const WAITING_EACH_MAX = 32
/** A body of 32 MiB is there several times while it is converted, two bytes a character. */
const MEMORY_MB_MAX = 1_024

/** Heavy bodies wait in turns by organization, and run on two threads, one job of an organization at a time. */
export function openBodyThreads({
  log,
  metrics,
  threadFile = THREAD_FILE,
  jobMsMax = JOB_MS_MAX,
  idleMsMax = IDLE_MS_MAX,
  waitingMax = WAITING_MAX,
  waitingEachMax = WAITING_EACH_MAX,
  memoryMbMax = MEMORY_MB_MAX,
}: BodyThreadsOptions): BodyThreads {
  const queue = new FairQueue<WaitingJob>()
  const settings = { threadFile, jobMsMax, idleMsMax, memoryMbMax }
  const threads = Array.from({ length: THREADS }, () => new BodyThread(settings, log, next))
  let isClosed = false
  metrics.watchPool('heavy bodies', () => {
    const busy = threads.filter(({ holder }) => holder !== undefined).length
    return { busy, idle: THREADS - busy, waiting: queue.size }
  })

  function enter(job: WaitingJob): void {
    const apiError = apiErrorFor(job)
    if (apiError !== undefined) {
      job.reject(apiError)
      return
    }
    job.signal.addEventListener('abort', job.onAbort)
    queue.push(job.holder, job)
    next()
  }

  function apiErrorFor({ holder, signal }: WaitingJob): ApiError | undefined {
    if (isClosed || signal.aborted || queue.size >= waitingMax) return new ApiError('overloaded')
    if (queue.sizeOf(holder) < waitingEachMax) return undefined
    return new ApiError('rate_limit_exceeded', { message: 'Too many large requests at once.' })
  }

  function next(): void {
    if (isClosed) return
    const free = threads.find(({ holder }) => holder === undefined)
    const job = free && queue.shift((waiting) => threads.every(({ holder }) => holder !== waiting))
    if (free === undefined || job === undefined) return
    job.signal.removeEventListener('abort', job.onAbort)
    free.start(job)
    next()
  }

  return {
    run(name, bytes, args, { holder, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<JobEnd<unknown>>()
      const job: WaitingJob = {
        ...{ name, args, holder, signal, resolve, reject },
        bytes: ownBytes(bytes),
        onAbort() {
          if (queue.remove(holder, job)) reject(new ApiError('overloaded'))
        },
      }
      enter(job)
      // What a job gives back was checked where it was written: between the threads it is only data.
      return promise as Promise<JobEnd<ReturnType<HeavyJobs[typeof name]>>>
    },
    async close() {
      isClosed = true
      for (let job = queue.shift(); job !== undefined; job = queue.shift())
        job.reject(new ApiError('overloaded'))
      await Promise.all(threads.map((thread) => thread.close()))
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
