import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { ApiError } from '../../domain/api-error.ts'
import { FairQueue } from '../../domain/fair-queue.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Keyring } from '../../ports/secrets.ts'
import type { JobEnd, Threads } from '../../ports/threads.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import { BodyThread, type BodyThreadSettings, type ThreadJob } from './body-thread.ts'

export interface BodyThreads extends Threads<HeavyJobs> {
  close(): Promise<void>
}

export interface BodyThreadsOptions extends Partial<Omit<BodyThreadSettings, 'decryptionKeys'>> {
  log: Log
  metrics: Metrics
  clock: Pick<Clock, 'monotonicMs'>
  secrets: Pick<Keyring, 'decryptionKeys'>
  book: TimeBook
  waitingMax?: number
  waitingEachMax?: number
}

interface WaitingJob extends ThreadJob {
  signal: AbortSignal
  isReply: boolean
  onAbort(): void
}

const THREAD_FILE = new URL('./heavy-job-thread.ts', import.meta.url)
/** Number of threads. An organization runs one job at a time, so that the other thread is free for others. */
const THREADS = 2
/** Time limit of a job: ten times the duration of the largest body with the most values on a slow machine. */
const JOB_MS_MAX = 30_000
/** Time after which an idle thread ends, because it keeps the memory of its largest job. */
const IDLE_MS_MAX = 60_000
const WAITING_MAX = 256
const WAITING_EACH_MAX = 32
/** Memory limit of a thread, in which a body of 32 MiB exists several times during conversion. */
const MEMORY_MB_MAX = 1_024

const POLL_EVERY_MS = 10

/**
 * Heavy bodies run on two threads, one job of an organization at a time, and the organization that has used the least
 * time is first. If others are served, an organization pauses after each job as long as the job took, so its bodies take
 * at most half of a processor.
 */
export function openBodyThreads(options: BodyThreadsOptions): BodyThreads {
  const { log, metrics, clock, secrets, book, threadFile = THREAD_FILE, jobMsMax = JOB_MS_MAX } = options
  const { idleMsMax = IDLE_MS_MAX, memoryMbMax = MEMORY_MB_MAX } = options
  const { waitingMax = WAITING_MAX, waitingEachMax = WAITING_EACH_MAX } = options
  const { decryptionKeys } = secrets
  const queue = new FairQueue<WaitingJob>(book.usedMs)
  const settings = { threadFile, jobMsMax, idleMsMax, memoryMbMax, decryptionKeys }
  const threads = Array.from({ length: THREADS }, () => new BodyThread(settings, log, next))
  const restUntilMs = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
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

  function apiErrorFor({ holder, signal, isReply }: WaitingJob): ApiError | undefined {
    if (isClosed || signal.aborted) return new ApiError('overloaded')
    if (isReply) return undefined
    const own = queue.sizeOf(holder)
    const roomFor = own > 0 ? waitingMax - sharesOf(waitingMax, 8).reserved : waitingMax
    if (queue.size >= roomFor) return new ApiError('overloaded')
    if (own < waitingEachMax) return undefined
    return new ApiError('rate_limit_exceeded', { message: 'Too many large requests at once.' })
  }

  function next(): void {
    if (isClosed) return
    const free = threads.find(({ holder }) => holder === undefined)
    if (free === undefined || queue.size === 0) return
    const job = queue.shift(mayRun)
    if (job === undefined) {
      pollLater()
      return
    }
    job.signal.removeEventListener('abort', job.onAbort)
    free.start(withRest(job))
    next()
  }

  function mayRun(waiting: string): boolean {
    const until = restUntilMs.get(waiting) ?? 0
    return clock.monotonicMs() >= until && threads.every(({ holder }) => holder !== waiting)
  }

  /** Polls for the end of a pause; the end of a job starts the next one itself. */
  function pollLater(): void {
    if (restUntilMs.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      next()
    }, POLL_EVERY_MS)
  }

  function withRest(job: WaitingJob): ThreadJob {
    const { holder } = job
    const beganMs = clock.monotonicMs()
    const rest = () => {
      const nowMs = clock.monotonicMs()
      for (const [other, until] of restUntilMs) if (until <= nowMs) restUntilMs.delete(other)
      book.add(holder, nowMs - beganMs)
      if (book.hasOthers(holder)) restUntilMs.set(holder, nowMs + nowMs - beganMs)
    }
    return {
      ...job,
      resolve(end) {
        rest()
        job.resolve(end)
      },
      reject(error) {
        rest()
        job.reject(error)
      },
    }
  }

  return {
    run(name, bytes, args, { holder, signal, isReply = false }) {
      const { promise, resolve, reject } = Promise.withResolvers<JobEnd<unknown>>()
      const job: WaitingJob = {
        name,
        args,
        holder,
        signal,
        isReply,
        resolve,
        reject,
        bytes: ownBytes(bytes),
        onAbort() {
          if (queue.remove(holder, job)) reject(new ApiError('overloaded'))
        },
      }
      enter(job)
      // The compiler checks results where a job is defined, because data between threads is untyped.
      return promise as Promise<JobEnd<ReturnType<HeavyJobs[typeof name]>>>
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (let job = queue.shift(); job !== undefined; job = queue.shift())
        job.reject(new ApiError('overloaded'))
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** Copies a view of a part of a buffer, because only a whole ArrayBuffer can be transferred. */
function ownBytes(bytes: Buffer): Buffer<ArrayBuffer> {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return Buffer.from(buffer)
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
