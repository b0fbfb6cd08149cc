import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'

const TOPIC = 'sluice:providers-changed'

/** Tells replicas of a stored change. A failure is only logged: they see the change within seconds. */
export async function announceProviders(input: { cache: Pick<Cache, 'publish'>; log: Log }): Promise<void> {
  const { cache, log } = input
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
