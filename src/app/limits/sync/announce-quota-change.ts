import type { Actor } from '../../../ports/audit.ts'
import type { Runtime } from '../../runtime.ts'
import { publishQuotaChange, type QuotaChange } from './invalidations.ts'

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

/** Copies rows into the cache and notifies replicas, or rejects and changes nothing. `by`: the operator's name. */
export interface QuotaSync {
  organization(id: string, by?: Actor): Promise<void>
  user(id: string, by?: Actor): Promise<void>
  modelPrice(modelId: number, by?: Actor): Promise<void>
}
