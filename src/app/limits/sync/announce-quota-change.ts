import type { Actor } from '../../../ports/audit.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { Log } from '../../../ports/log.ts'
import { publishQuotaChange, type QuotaChange } from './invalidations.ts'

/** After a change that is stored already: news that does not go out is late, and no reason to say that it failed. */
export async function announceQuotaChange(
  change: QuotaChange,
  { cache, log }: { cache: Cache; log: Log },
): Promise<void> {
  try {
    await publishQuotaChange(cache, change)
  } catch (error) {
    log.warn('limits.announce_failed', { error })
  }
}

/** Writes what is stored into the cache and notifies every replica. An error changed nothing. `by`: an operator with a name. */
export interface QuotaSync {
  organization(id: string, by?: Actor): Promise<void>
  user(id: string, by?: Actor): Promise<void>
  modelPrice(modelId: number, by?: Actor): Promise<void>
}
