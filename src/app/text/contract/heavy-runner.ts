import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { ApiError } from '../../../domain/api-error.ts'
import type { Threads } from '../../../ports/threads.ts'

export type RunHeavy = <Name extends keyof HeavyJobs & string>(
  name: Name,
  args: Parameters<HeavyJobs[Name]>[1],
) => Promise<ReturnType<HeavyJobs[Name]>>

export interface HeavyBytes {
  bytes: Buffer
  organizationId: string
  /** Aborts when the client is gone. Waiting jobs are then not begun. */
  closed: AbortSignal
}

export function heavyRunner(threads: Threads<HeavyJobs>, input: HeavyBytes): RunHeavy {
  const { bytes, organizationId: holder, closed: signal } = input
  let kept: Buffer | undefined = bytes
  return async (name, args) => {
    const given = kept
    // The bytes were lost with the thread that had them.
    if (given === undefined) throw new ApiError('overloaded')
    kept = undefined
    const end = await threads.run(name, given, args, { holder, signal })
    kept = end.bytes
    if ('refused' in end) throw end.refused
    return end.result
  }
}
