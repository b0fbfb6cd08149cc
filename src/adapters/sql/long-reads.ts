import { ApiError } from '../../domain/api-error.ts'
import { FairQueue } from '../../domain/fair-queue.ts'
import { sharesOf } from '../../domain/slot-shares.ts'

/** Maximum number of waiting reads. A read of 200,000 names takes 0.1 s, so this bounds the wait. */
const WAITING_MAX = 64
/** Maximum number of waiting reads of one organization, so that others can wait too. */
const WAITING_EACH_MAX = 32
const { reserved: RESERVED } = sharesOf(WAITING_MAX, 8)

/** Runs reads of many rows, a few at the same time. Organizations take turns. */
export interface LongReads {
  /** Runs a read when a slot is free, or rejects when too many wait. Reads without an organization share one queue. */
  run<Result>(args: unknown, read: () => Promise<Result>): Promise<Result>
  /** Refuses further reads, and resolves when all accepted ones have ended. */
  close(): Promise<void>
}

export function createLongReads({ concurrentMax }: { concurrentMax: number }): LongReads {
  const queue = new FairQueue<() => Promise<void>>()
  const running = new Set<Promise<void>>()
  let isClosed = false

  function apiErrorFor(holder: string): ApiError | undefined {
    if (isClosed) return unavailable('the store is closed')
    const own = queue.sizeOf(holder)
    if (queue.size >= (own > 0 ? WAITING_MAX - RESERVED : WAITING_MAX))
      return unavailable('too many long reads wait')
    if (own < WAITING_EACH_MAX) return undefined
    return new ApiError('rate_limit_exceeded', { message: 'Too many searches at once.' })
  }

  function fill(): void {
    while (running.size < concurrentMax) {
      const next = queue.shift()
      if (next === undefined) return
      const reading = next().then(() => {
        running.delete(reading)
        fill()
      })
      running.add(reading)
    }
  }

  return {
    run<Result>(args: unknown, read: () => Promise<Result>) {
      const holder = holderOf(args)
      const apiError = apiErrorFor(holder)
      if (apiError !== undefined) return Promise.reject(apiError)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.push(holder, () => read().then(resolve, reject))
      fill()
      return promise
    },
    async close() {
      isClosed = true
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function holderOf(args: unknown): string {
  const { organizationId = '' }: { organizationId?: string } = Object(args)
  return organizationId
}

function unavailable(reason: string): ApiError {
  return new ApiError('store_unavailable', { cause: new Error(reason) })
}
