import type { Cache } from '../ports/cache.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import type { Clock, Pause } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { NewId, Secrets } from '../ports/secrets.ts'

/** Parts of the process that many use cases need. */
export interface Runtime {
  cache: Cache
  checkpoint: Checkpoint
  clock: Clock
  log: Log
  metrics: Metrics
  newId: NewId
  pause: Pause
  secrets: Secrets
}
