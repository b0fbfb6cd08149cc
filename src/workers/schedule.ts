import type { Log } from '../ports/log.ts'
import type { LogEvent } from '../ports/log-events.ts'

/** All work that a gateway repeats: how often, and what the log says of a run that failed. */
const SCHEDULE = {
  /** Renews the leases of allowances that are in use, and gives back those that are idle. */
  'allowance-keeper': { everyMs: 1_000, failure: 'allowance.renew_failed' },
  /** Asks the vendor about assets that no client asks for. */
  'asset-sweeper': { failure: 'asset.claim_failed' },
  /** Warns of organizations that have nearly spent their budget, and returns what was leased under a larger one. */
  'budget-watch': { everyMs: 3_000, failure: 'budget.check_failed' },
  /** Finds callbacks that other replicas wrote, and those that could not be delivered when they were due. */
  'callback-courier': { everyMs: 1_000, failure: 'callback.claim_failed' },
  /** Renews the claims of requests that are still running, after a third of their lease. */
  'claim-keeper': { everyMs: 10_000, failure: 'claim.renew_failed' },
  /** Has the vendor remove its copies of what was erased. */
  'copy-remover': { everyMs: 2_000, failure: 'erasure.claim_failed' },
  /** Notices a jump of the wall clock before anything is decided by it. */
  'clock-watch': { everyMs: 1_000, failure: 'clock.watch_failed' },
  /** Ends running replies of organizations and users that were disabled, also where no news arrives. */
  'disabled-watch': { everyMs: 2_000, failure: 'stream.disabled_check_failed' },
  /** Tells organizations of events that any replica wrote. */
  'event-courier': { everyMs: 1_000, failure: 'callback.claim_failed' },
  /** Counts open work and money for the metrics. */
  'open-work-counter': { everyMs: 15_000, failure: 'metrics.count_failed' },
  /** Ends holds that are past their deadline. */
  'hold-reaper': { everyMs: 2_000, failure: 'hold.expiry_failed' },
  /** Keeps the table of idempotency keys as small as what is still replayed. */
  'idempotency-key-cleaner': { everyMs: 10_000, failure: 'idempotency.cleanup_failed' },
  /** Signs the receipts of tasks that have ended. */
  'receipt-maker': { everyMs: 1_000, failure: 'receipt.making_failed' },
  /** Lowers the days of users who got a refund. */
  'refund-watcher': { everyMs: 2_000, failure: 'refunds.read_failed' },
  /** Puts off the leases of kept replies that run here, and ends those that another replica was asked to stop. */
  'reply-keeper': { everyMs: 2_000, failure: 'reply.lease_failed' },
  /** Drops tasks, links and audit rows that are older than they are kept. */
  'row-cleaner': { everyMs: 10_000, failure: 'retention.cleanup_failed' },
  /** Learns of the switch to a new secret, in a process that has two. */
  'secret-watch': { everyMs: 1_000, failure: 'secret.watch_failed' },
  /** Keeps streams alive whose vendor is silent; after three runs without a byte the client gets a sign of life. */
  'stream-keeper': { everyMs: 5_000, failure: 'stream.keep_alive_failed' },
  /** Asks one vendor about its due tasks. Each vendor has a loop of its own. */
  'task-sweeper': { failure: 'task.claim_failed' },
  /** Counts charges of older replicas in the rollups, closes days that are over, and drops usage that is older than it is kept. */
  'usage-keeper': { everyMs: 10_000, failure: 'usage.keeping_failed' },
  /** Keeps the table of vendors' ids as small as what may still be named. */
  'vendor-id-cleaner': { everyMs: 5_000, failure: 'vendor_ids.cleanup_failed' },
  /** Keeps the table of verifications as small as what may still be asked about. */
  'verification-cleaner': { everyMs: 60_000, failure: 'verification.cleanup_failed' },
} as const satisfies Record<string, { everyMs?: number; failure: LogEvent }>

/** The interval of sweeps is a setting. */
type SweepName = 'asset-sweeper' | 'task-sweeper'

export interface Loop {
  /** Resolves when the run that has begun, if any, is over; none follows. */
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
  /** What the log says of a failed run. */
  failure: LogEvent
}

/** One run after the other with a pause between them. A run that fails is a line in the log. Keeps no process alive. */
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
