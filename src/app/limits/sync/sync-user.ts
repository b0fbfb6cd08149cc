import { ApiError } from '../../../domain/api-error.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { SyncLimitCache } from '../sync-limit-cache.ts'
import { publishQuotaChange } from './invalidations.ts'

/** Copies the user's row into the cache, as `decideUserSync` decides, and notifies every replica. */
export function syncUser(input: {
  syncLimitCache: SyncLimitCache
  cache: Pick<Cache, 'publish'>
}): (userId: string) => Promise<void> {
  const { syncLimitCache, cache } = input
  return async (userId) => {
    const sync = await syncLimitCache(userId, 'all')
    if (sync.kind === 'refuse')
      throw new ApiError('invalid_parameter', {
        message: 'enable_limit=true requires max_daily_user_limit > 0',
      })
    await publishQuotaChange(cache, { kind: 'user', id: userId })
  }
}
