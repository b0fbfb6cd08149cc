import type { PostgresPool } from 'kysely'
import { Client, type Pool, type PoolClient } from 'pg'
import { FairQueue } from '../../domain/fair-queue.ts'

export interface SharedPool extends PostgresPool {
  readonly options: Pool['options']
  readonly counts: { busy: number; idle: number; waiting: number }
}

/** Lends connections to holders in turn, so that each holder delays only itself. `onReply` runs before each read. */
export function shareConnections(
  pool: Pool,
  { holder, waitMs, onReply }: { holder: () => string; waitMs: number; onReply?: (holder: string) => void },
): SharedPool {
  const queue = new FairQueue<() => void>()
  const { max } = pool.options
  const lent = new Map<PoolClient, string>()
  let taken = 0

  function giveFree(): void {
    while (taken < max) {
      const enter = queue.shift()
      if (enter === undefined) return
      taken += 1
      enter()
    }
  }

  function free(): void {
    taken -= 1
    giveFree()
  }

  // The pool also releases connections that were opened after their request timed out; their slot was freed then.
  pool.on('release', (_error, client) => {
    if (lent.delete(client)) free()
  })
  pool.on('connect', (client) => {
    if (client instanceof Client)
      client.connection.stream.prependListener('data', () => onReply?.(lent.get(client) ?? ''))
  })
  return {
    options: pool.options,
    get counts() {
      const { totalCount, idleCount, waitingCount } = pool
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount + queue.size }
    },
    connect() {
      const { promise, resolve, reject } = Promise.withResolvers<PoolClient>()
      const name = holder()
      let timer: NodeJS.Timeout | undefined
      const enter = () => {
        clearTimeout(timer)
        pool.connect().then(
          (client) => {
            lent.set(client, name)
            resolve(client)
          },
          (error) => {
            free()
            reject(error)
          },
        )
      }
      queue.push(name, enter)
      giveFree()
      if (taken < max || queue.sizeOf(name) === 0) return promise
      timer = setTimeout(() => {
        if (queue.remove(name, enter)) reject(new Error('timeout exceeded when trying to connect'))
      }, waitMs)
      return promise
    },
    end: () => pool.end(),
  }
}
