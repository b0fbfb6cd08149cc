import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'

/** Carries the id of an organization whose money does not suffice on one replica while others may have some to spare. */
export const ALLOWANCE_WANTED_TOPIC = 'sluice:allowance-wanted'

export async function hearWantedAllowances({
  cache,
  log,
  wanted,
}: {
  cache: Cache
  log: Log
  wanted(organizationId: string): void
}): Promise<void> {
  try {
    await cache.subscribe(ALLOWANCE_WANTED_TOPIC, wanted)
  } catch (error) {
    log.warn('other replicas cannot ask for unused allowances; those return when they are idle', { error })
  }
}
