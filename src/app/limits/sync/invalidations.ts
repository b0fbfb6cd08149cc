import type { Actor } from '../../../ports/audit.ts'
import type { Cache } from '../../../ports/cache.ts'
import { followTopic } from '../../follow-topic.ts'
import type { Runtime } from '../../runtime.ts'

const TOPIC = 'sluice:quota-changed'

/** Owner of stored rows or cache entries that were just changed. */
export type QuotaChange = { kind: 'organization' | 'user'; id: string } | { kind: 'model'; id: number }

/** Tells every replica, this one included, to forget its cached rows. */
export async function publishQuotaChange(cache: Pick<Cache, 'publish'>, change: QuotaChange): Promise<void> {
  await cache.publish(TOPIC, JSON.stringify(change))
}

/** Without a message, a cached row expires within 5 s. */
export function subscribeToInvalidations(
  tools: Pick<Runtime, 'cache' | 'log'> & { forget(change: QuotaChange): void },
): Promise<void> {
  const forget = (message: string) => tools.forget(JSON.parse(message))
  return followTopic(TOPIC, forget, { ...tools, failure: 'limits.subscribe_failed' })
}

/** Tells replicas of a stored change. Never rejects, because without the message they see the change within 5 s. */
export async function announceQuotaChange(
  change: QuotaChange,
  { cache, log }: Pick<Runtime, 'cache' | 'log'>,
): Promise<void> {
  try {
    await publishQuotaChange(cache, change)
  } catch (error) {
    log.warn('limits.announce_failed', { error })
  }
}

/** Copies rows into the cache and notifies replicas. A rejected call can be repeated. `by`: the operator's name. */
export interface QuotaSync {
  organization(id: string, by?: Actor): Promise<void>
  user(id: string, by?: Actor): Promise<void>
  modelPrice(modelId: number, by?: Actor): Promise<void>
}
