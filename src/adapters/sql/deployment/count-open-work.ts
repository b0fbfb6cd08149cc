import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { DeploymentStore } from '../../../ports/store.ts'
import { read, type StatementsOf } from '../statement.ts'

export const COUNT_OPEN_WORK = {
  /** Counts open tasks, except tasks that are set aside, and open holds. Each count uses an index of open rows. */
  countOpenWork: read(async (db, { nowMs }) => {
    const tasks = await sql<{ status: string; count: Whole; first: Whole }>`
      select status, count(*) as count, min(next_poll_at_ms) as first from video_tasks
      where status in ('submitting', 'queued', 'running') and set_aside_at_ms is null
      group by status`.execute(db)
    const holds = await sql<{ kind: string; count: Whole; amount: Whole }>`
      select kind, count(*) as count, sum(amount_micros) as amount from holds
      where state = 'open' group by kind`.execute(db)
    const countOf = (status: string) => Number(tasks.rows.find((row) => row.status === status)?.count ?? 0)
    const holdsOf = (kind: string) => {
      const row = holds.rows.find((each) => each.kind === kind)
      return { count: Number(row?.count ?? 0), amountMicros: micros(Number(row?.amount ?? 0)) }
    }
    const first = Math.min(...tasks.rows.map((row) => Number(row.first ?? Number.POSITIVE_INFINITY)))
    return {
      openTasks: {
        submitting: countOf('submitting'),
        queued: countOf('queued'),
        running: countOf('running'),
      },
      latePollMs: Math.max(0, nowMs - first),
      holds: { task: holdsOf('task'), allowance: holdsOf('allowance') },
    }
  }),
} satisfies Partial<StatementsOf<DeploymentStore>>

type Whole = number | string | null
