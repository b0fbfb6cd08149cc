import type { Log } from '../ports/log.ts'
import type { LogEvent } from '../ports/log-events.ts'

/** All repeated work of a gateway: its interval, and the log event of a failed run. */
const SCHEDULE = {
  /** Renews the leases of allowances that are in use, and returns those that are idle. */
  'allowance-keeper': { everyMs: 1_000, failure: 'allowance.renew_failed' },
  /** Polls the vendor about each asset in processing, also if no client asks for it. */
  'asset-sweeper': { failure: 'asset.claim_failed' },
  /** Warns of organizations that reached the threshold of their budget, and returns leased money beyond a budget. */
  'budget-watch': { everyMs: 3_000, failure: 'budget.check_failed' },
  /** Finds callbacks of other replicas, and those that could not be delivered when they were due. */
  'callback-courier': { everyMs: 1_000, failure: 'callback.claim_failed' },
  /** Renews the claims of running requests, after a third of their lease. */
  'claim-keeper': { everyMs: 10_000, failure: 'claim.renew_failed' },
  'clip-copier': { everyMs: 1_000, failure: 'clip.claim_failed' },
  /** Asks the vendor to delete its copies of erased rows. */
  'copy-remover': { everyMs: 2_000, failure: 'erasure.claim_failed' },
  /** Notices a jump of the wall clock also while nothing reads the clock for deadlines. */
  'clock-watch': { everyMs: 1_000, failure: 'clock.watch_failed' },
  /** Ends running replies of disabled organizations and users when a message about them was lost. */
  'disabled-watch': { everyMs: 2_000, failure: 'stream.disabled_check_failed' },
  /** Removes cached replies of recently erased organizations again. */
  'erasure-repeater': { everyMs: 60_000, failure: 'erasure.repeat_failed' },
  /** Delivers events that any replica wrote. */
  'event-courier': { everyMs: 1_000, failure: 'callback.claim_failed' },
  /** Finds causes of events, such as low balances, spent budgets, keys that expire and providers that are down. */
  'event-watch': { everyMs: 3_000, failure: 'event.watch_failed' },
  /** Erases expired copies, and removes the files of erased ones. */
  'media-keeper': { everyMs: 2_000, failure: 'media.keeping_failed' },
  'open-work-counter': { everyMs: 15_000, failure: 'metrics.count_failed' },
  'hold-reaper': { everyMs: 2_000, failure: 'hold.expiry_failed' },
  'idempotency-key-cleaner': { everyMs: 10_000, failure: 'idempotency.cleanup_failed' },
  /** Puts changes of providers in force when a message about them was lost. */
  'provider-watch': { everyMs: 2_000, failure: 'providers.read_failed' },
  'receipt-maker': { everyMs: 1_000, failure: 'receipt.making_failed' },
  /** Writes refused requests to the request log, and counts of those that were not kept. */
  'refusal-writer': { everyMs: 1_000, failure: 'request_log.write_failed' },
  /** Lowers the spending of the day for users who got a refund. */
  'refund-watcher': { everyMs: 2_000, failure: 'refunds.read_failed' },
  /** Renews the leases of kept replies that run here, and ends those that another replica was asked to stop. */
  'reply-keeper': { everyMs: 2_000, failure: 'reply.lease_failed' },
  /** Drops tasks, links, audit rows and events past their retention. */
  'row-cleaner': { everyMs: 10_000, failure: 'retention.cleanup_failed' },
  /** Follows the switch to a new secret, in a process that has two. */
  'secret-watch': { everyMs: 1_000, failure: 'secret.watch_failed' },
  /** Keeps streams of silent vendors alive: after three runs without a byte the client gets a keep-alive event. */
  'stream-keeper': { everyMs: 5_000, failure: 'stream.keep_alive_failed' },
  /** Polls one vendor about its due tasks. Each vendor has its own loop. */
  'task-sweeper': { failure: 'task.claim_failed' },
  /** Adds missing charges to the rollups, closes past days, and drops usage and request logs past their retention. */
  'usage-keeper': { everyMs: 10_000, failure: 'usage.keeping_failed' },
  'vendor-id-cleaner': { everyMs: 5_000, failure: 'vendor_ids.cleanup_failed' },
  'verification-cleaner': { everyMs: 60_000, failure: 'verification.cleanup_failed' },
} as const satisfies Record<string, { everyMs?: number; failure: LogEvent }>

/** The interval of sweeps is a setting. */
type SweepName = 'asset-sweeper' | 'task-sweeper'

export interface Loop {
  /** Resolves when the running pass, if any, is over; none follows. */
  stop(): Promise<void>
}

export function startWorker(
  name: Exclude<keyof typeof SCHEDULE, SweepName>,
  work: Pick<Repeated, 'run' | 'log'>,
): Loop {
  return startLoop({ ...SCHEDULE[name], ...work })
}

export function startSweeper(name: SweepName, work: Omit<Repeated, 'failure'>): Loop {
  return startLoop({ ...SCHEDULE[name], ...work })
}

interface Repeated {
  run(): Promise<void> | void
  everyMs: number
  log: Log
  failure: LogEvent
}

/** Calls `run` again and again, with a pause after each run. Does not keep the process alive. */
export function startLoop({ run, everyMs, log, failure }: Repeated): Loop {
  let isStopped = false
  let running = Promise.resolve()
  let timer = setTimeout(begin, everyMs).unref()

  function begin(): void {
    running = runOnce().then(() => {
      if (!isStopped) timer = setTimeout(begin, everyMs).unref()
    })
  }

  async function runOnce(): Promise<void> {
    try {
      await run()
    } catch (error) {
      log.warn(failure, { error })
    }
  }

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return running
    },
  }
}
