import { HEAVY_JOBS, type HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { readFacts } from '@sluice/dialects/body/read-facts'
import type { RunReplyJob } from '../../src/app/text/plan/heavy-reply.ts'
import { PUBLIC_ONLY } from '../fixtures/text/public-urls-only.ts'

/** The jobs of the other thread, run on this thread; jobs that no test needs do nothing. */
export const JOBS_HERE: HeavyJobs = {
  ...HEAVY_JOBS,
  read: (bytes, { allowedRanges: _allowed, ...shape }) => readFacts(bytes, shape, PUBLIC_ONLY),
  digest: () => '',
  decrypt: () => undefined,
  continue: () => undefined,
}

/** Runs reply jobs, and copies their input and output as between threads; `names` lists the jobs that ran. */
export function replyJobsHere(): { names: string[]; run: RunReplyJob } {
  const names: string[] = []
  const run: RunReplyJob = async (name, bytes, args) => {
    names.push(name)
    const job: (bytes: Buffer, args: never) => unknown = JOBS_HERE[name]
    return structuredClone(job(bytes, structuredClone(args) as never)) as never
  }
  return { names, run }
}
