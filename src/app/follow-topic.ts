import type { LogEvent } from '../ports/log-events.ts'
import type { Runtime } from './runtime.ts'

/** Subscribes to messages of all replicas. A failure is only logged, because this process then only sees changes later. */
export async function followTopic(
  topic: string,
  listener: (message: string) => void,
  {
    cache,
    log,
    failure,
  }: { cache: Pick<Runtime['cache'], 'subscribe'>; log: Runtime['log']; failure: LogEvent },
): Promise<void> {
  try {
    await cache.subscribe(topic, listener)
  } catch (error) {
    log.warn(failure, { error })
  }
}
