import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../domain/api-error.ts'
import type { Log } from '../../ports/log.ts'
import type { DecryptionKeys } from '../../ports/secrets.ts'
import type { JobEnd } from '../../ports/threads.ts'
import { apiErrorOf, type JobMessage, type JobReply, type ThreadData } from './messages.ts'

export interface ThreadJob extends JobMessage {
  bytes: Buffer<ArrayBuffer>
  holder: string
  resolve(end: JobEnd<unknown>): void
  reject(error: Error): void
}

export interface BodyThreadSettings {
  threadFile: URL
  jobMsMax: number
  idleMsMax: number
  memoryMbMax: number
  /** Keys that decrypt stored values. */
  decryptionKeys: DecryptionKeys
}

const YOUNG_MB_MAX = 64

/**
 * Runs one job at a time on a thread for heavy bodies. The first job starts the thread, also after the thread
 * has died; a death loses only the running job.
 */
export class BodyThread {
  readonly #settings: BodyThreadSettings
  readonly #log: Log
  readonly #onFree: () => void
  #running: ThreadJob | undefined
  #thread: Worker | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(settings: BodyThreadSettings, log: Log, onFree: () => void) {
    this.#settings = settings
    this.#log = log
    this.#onFree = onFree
  }

  /** Organization of the running job; undefined while the thread is free. */
  get holder(): string | undefined {
    return this.#running?.holder
  }

  start(job: ThreadJob): void {
    clearTimeout(this.#timer)
    this.#running = job
    const thread = this.#thread ?? this.#open()
    this.#thread = thread
    thread.ref()
    this.#timer = setTimeout(() => this.#drop(new ApiError('overloaded')), this.#settings.jobMsMax)
    try {
      const { name, bytes, args } = job
      thread.postMessage({ name, bytes, args } satisfies JobMessage, [bytes.buffer])
    } catch (cause) {
      this.#free()
      job.reject(new ApiError('internal_error', { cause }))
      this.#onFree()
    }
  }

  async close(): Promise<void> {
    const last = this.#thread
    this.#drop(new ApiError('overloaded'))
    await last?.terminate()
  }

  /** Frees the thread, which then keeps no process alive, and ends after `idleMsMax`. */
  #free(): void {
    clearTimeout(this.#timer)
    this.#running = undefined
    this.#thread?.unref()
    this.#timer = setTimeout(() => this.#drop(new ApiError('overloaded')), this.#settings.idleMsMax)
    this.#timer.unref()
  }

  #open(): Worker {
    const worker = new Worker(this.#settings.threadFile, {
      name: 'sluice-bodies',
      execArgv: ['--enable-source-maps'],
      env: threadEnvironment(),
      workerData: { decryptionKeys: this.#settings.decryptionKeys } satisfies ThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#settings.memoryMbMax,
        maxYoungGenerationSizeMb: YOUNG_MB_MAX,
      },
    })
    let reason: unknown = new Error('the thread for heavy bodies ended')
    worker.on('message', (message: JobReply) => {
      if (this.#thread === worker) this.#answer(message)
    })
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (this.#thread !== worker) return
      this.#log.error('body_thread.died', { error: reason })
      this.#drop(errorOfDeath(reason))
    })
    return worker
  }

  #answer(message: JobReply): void {
    const job = this.#running
    this.#free()
    const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength)
    if ('result' in message) job?.resolve({ bytes, result: message.result })
    else if ('apiError' in message) job?.resolve({ bytes, refused: apiErrorOf(message.apiError) })
    else job?.resolve({ bytes, refused: new ApiError('internal_error', { cause: message.fault }) })
    this.#onFree()
  }

  /** Ends the thread and fails its job. Waiting jobs run on the next thread. */
  #drop(apiError: ApiError): void {
    const job = this.#running
    const dropped = this.#thread
    clearTimeout(this.#timer)
    this.#running = undefined
    this.#thread = undefined
    void dropped?.terminate()
    job?.reject(apiError)
    this.#onFree()
  }
}

function errorOfDeath(reason: unknown): ApiError {
  const isOutOfMemory =
    reason instanceof Error && 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? new ApiError('body_too_large', { message: 'The request body takes too much memory to be read.' })
    : new ApiError('internal_error', { cause: reason })
}

/** Shares the program's compile cache, so that the thread does not compile its sources again. */
function threadEnvironment(): Record<string, string> {
  const cacheDir = getCompileCacheDir()
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheDir) }
}
