import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import type { BodyTurns } from '../../../ports/body-turns.ts'
import type { Threads } from '../../../ports/threads.ts'

/** Reads a large part of a vendor's reply on another thread. Rejects when the thread died. */
export type RunReplyJob = <Name extends keyof HeavyJobs & string>(
  name: Name,
  bytes: Buffer,
  args: Parameters<HeavyJobs[Name]>[1],
  organizationId: string,
) => Promise<ReturnType<HeavyJobs[Name]>>

/** `isReply`: the queue refuses no reply, because the vendor's work is done. `turns` returns one result after the other. */
export function replyRunner(threads: Threads<HeavyJobs>, turns: Pick<BodyTurns, 'take'>): RunReplyJob {
  return async (name, bytes, args, holder) => {
    const { signal } = new AbortController()
    const end = await threads.run(name, bytes, args, { holder, signal, isReply: true })
    if ('refused' in end) throw end.refused
    await new Promise<void>((resolve) => turns.take(holder, resolve))
    return end.result
  }
}
