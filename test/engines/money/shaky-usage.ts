import { ApiError } from '../../../src/domain/api-error.ts'
import type { UsageStore } from '../../../src/ports/usage.ts'

/** State of the connection to the store: up, down, or the work is done and the answer is lost. */
export type Line = 'up' | 'down' | 'answers-lost'

/** A real store behind a connection that a test may cut. */
export function shakyUsage(usage: UsageStore): UsageStore & { line: Line } {
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    const { line } = shaky
    if (line === 'down') throw new ApiError('store_unavailable')
    const answer = await work()
    if (line === 'answers-lost') throw new ApiError('store_unavailable')
    return answer
  }
  const shaky: UsageStore & { line: Line } = {
    line: 'up',
    lease: (lease) => through(() => usage.lease(lease)),
    whyRefused: (question) => through(() => usage.whyRefused(question)),
    renew: (renewal) => through(() => usage.renew(renewal)),
    giveBack: (part) => through(() => usage.giveBack(part)),
    write: (group) => through(() => usage.write(group)),
  }
  return shaky
}
