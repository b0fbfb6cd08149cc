import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import { followTopic } from '../follow-topic.ts'

const TOPIC = 'sluice:providers-changed'

/** Tells replicas of a stored change. A failure is only logged, because replicas see the change within seconds anyway. */
export async function announceProviders(input: { cache: Pick<Cache, 'publish'>; log: Log }): Promise<void> {
  const { cache, log } = input
  await cache.publish(TOPIC, '{}').catch((error: unknown) => log.warn('providers.announce_failed', { error }))
}

export function subscribeToProviders(tools: {
  cache: Pick<Cache, 'subscribe'>
  log: Log
  onChange(): Promise<void>
}): Promise<void> {
  const { log, onChange } = tools
  const look = () => void onChange().catch((error: unknown) => log.warn('providers.read_failed', { error }))
  return followTopic(TOPIC, look, { ...tools, failure: 'providers.subscribe_failed' })
}
