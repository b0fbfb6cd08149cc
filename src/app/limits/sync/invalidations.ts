import type { Cache } from '../../../ports/cache.ts'
import type { Runtime } from '../../runtime.ts'

const TOPIC = 'sluice:quota-changed'

/** Owner of stored rows or cache entries that were just changed. */
export type QuotaChange = { kind: 'organization' | 'user'; id: string } | { kind: 'model'; id: number }

/** Tells every replica, this one included, to forget its cached rows. */
export async function publishQuotaChange(cache: Pick<Cache, 'publish'>, change: QuotaChange): Promise<void> {
  await cache.publish(TOPIC, JSON.stringify(change))
}

/** Without a message, a cached row expires within 5 s. */
export async function subscribeToInvalidations(
  tools: Pick<Runtime, 'cache' | 'log'> & {
    forget(change: QuotaChange): void
  },
): Promise<void> {
  const { cache, log, forget } = tools
  try {
    await cache.subscribe(TOPIC, (message) => {
      const change: QuotaChange = JSON.parse(message)
      forget(change)
    })
  } catch (error) {
    log.warn('limits.subscribe_failed', { error })
  }
}
