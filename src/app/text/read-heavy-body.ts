import type { TextShape } from '../../llm/body/check-shape.ts'
import type { HeavyJobs } from '../../llm/body/heavy-jobs.ts'
import type { Threads } from '../../ports/threads.ts'
import { type HeavyBody, type HeavyBytes, heavyRunner } from './heavy-body.ts'

/** Rejects with a `Refusal` for bytes that are no JSON, or no request of this shape. */
export type ReadHeavyBody = (bytes: HeavyBytes, shape: TextShape) => Promise<HeavyBody>

export function readHeavyBody({ threads }: { threads: Threads<HeavyJobs> }): ReadHeavyBody {
  return async (bytes, shape) => {
    const run = heavyRunner(threads, bytes)
    const facts = await run('read', { shape })
    return { value: facts.outline, facts, items: new Map(), ownIds: undefined, run }
  }
}
