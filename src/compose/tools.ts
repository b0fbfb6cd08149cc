import { systemClock, systemIdleMs, systemPause } from '../adapters/system/clock.ts'
import { createHolders } from '../adapters/system/holders.ts'
import { createIds } from '../adapters/system/ids.ts'
import { loadOrMakeSecret, loadSecret } from '../adapters/system/secret-file.ts'
import { createSecrets } from '../adapters/system/secrets.ts'
import { shareMetrics } from '../adapters/telemetry/cluster-metrics.ts'
import type { FlushableLog } from '../adapters/telemetry/log.ts'
import { createMetrics } from '../adapters/telemetry/prometheus.ts'
import { createDeadlineClock, type DeadlineClock } from '../app/waiting/deadline-clock.ts'
import { createTimeBook } from '../app/waiting/time-book.ts'
import { type Calendar, createCalendar } from '../domain/limits/calendar-day.ts'
import type { Checkpoint } from '../ports/checkpoint.ts'
import type { Clock, Pause } from '../ports/clock.ts'
import type { Holders } from '../ports/holders.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Keyring, NewId } from '../ports/secrets.ts'
import type { TimeBook } from '../ports/time-book.ts'
import type { Config } from './config.ts'
import { openLog } from './log.ts'

/** Tools that nearly every use case needs and that are cheap to open. */
export interface Tools {
  clock: Clock
  /** Time of the main thread by organization. */
  book: TimeBook
  deadlineClock: DeadlineClock
  pause: Pause
  newId: NewId
  log: FlushableLog
  metrics: Metrics
  secrets: Keyring
  checkpoint: Checkpoint
  /** Days and months in the time zone of limits and budgets. */
  calendar: Calendar
  /** Only where requests share connections to a database. */
  holders?: Holders | undefined
}

export function openTools(
  config: Config,
  input: {
    checkpoint: Checkpoint
    inCluster: boolean
    /** Left out: the clock of this machine. */
    clock?: Clock | undefined
    /** Whether to create a missing secret of the embedded store. */
    makesSecret: boolean
  },
): Tools {
  const { checkpoint, inCluster, makesSecret, clock = systemClock } = input
  const metrics = createMetrics()
  const loadFromFile = makesSecret ? loadOrMakeSecret : loadSecret
  const secret = config.secrets.deployment?.reveal() ?? loadFromFile(config.engines.dataDir)
  const log = openLog(config)
  return {
    clock,
    book: createTimeBook({ clock, idleMs: systemIdleMs, lagMsMax: config.http.limits.lagMsMax }),
    deadlineClock: createDeadlineClock({ clock, log }),
    pause: systemPause,
    newId: createIds(clock),
    log,
    metrics: inCluster ? shareMetrics(metrics) : metrics,
    secrets: createSecrets(secret, { previous: config.secrets.previousDeployment?.reveal() }),
    checkpoint,
    calendar: createCalendar(config.limits.timeZone),
    holders: config.engines.databaseUrl === undefined ? undefined : createHolders(),
  }
}

/** Tools for outgoing calls, which need neither store nor secret. */
export type DiagnosisTools = Pick<Tools, 'clock' | 'log' | 'metrics'>

export function diagnosisTools(config: Config): DiagnosisTools {
  return { clock: systemClock, log: openLog(config), metrics: createMetrics() }
}
