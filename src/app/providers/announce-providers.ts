import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'

const TOPIC = 'sluice:providers-changed'

/** The change is stored: replicas that get no message see it within seconds, so a failure is only logged. */
export async function announceProviders({
  cache,
  log,
}: {
  cache: Pick<Cache, 'publish'>
  log: Log
}): Promise<void> {
  await cache.publish(TOPIC, '{}').catch((error: unknown) => log.warn('providers.announce_failed', { error }))
}

export async function subscribeToProviders(tools: {
  cache: Pick<Cache, 'subscribe'>
  log: Log
  onChange(): Promise<void>
}): Promise<void> {
  const { cache, log, onChange } = tools
  try {
    await cache.subscribe(TOPIC, () => {
      onChange().catch((error: unknown) => log.warn('providers.read_failed', { error }))
    })
  } catch (error) {
    log.warn('providers.subscribe_failed', { error })
  }
}
