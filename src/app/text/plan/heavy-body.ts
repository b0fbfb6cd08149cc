import { ApiError } from '../../../domain/api-error.ts'
import type { BodyChanges, EmbeddingsFacts, HeavyJobs, KnownItems } from '../../../llm/body/heavy-jobs.ts'
import type { BodyFacts, TextShape } from '../../../llm/body/read-facts.ts'
import type { Threads } from '../../../ports/threads.ts'

export type RunHeavy = <Name extends keyof HeavyJobs & string>(
  name: Name,
  args: Parameters<HeavyJobs[Name]>[1],
) => Promise<ReturnType<HeavyJobs[Name]>>

/** A large body, which would block every other request: another thread reads and converts its bytes. */
export interface HeavyBody {
  /** Only the outline; the rest of the body never comes to the main thread. */
  value: BodyFacts['outline']
  facts: BodyFacts
  /** Items that the body refers to, as far as they are known. */
  items: KnownItems
  /** Members that the gateway sets. */
  changes?: BodyChanges
  /** Asks the vendor for a summary of the conversation. */
  asksForSummary?: true
  /** Ids that stay, out of those that the request can do without; undefined: all of them. */
  ownIds: ReadonlySet<string> | undefined
  run: RunHeavy
}

/** A large request for embeddings that was read on another thread. */
export interface HeavyEmbeddings {
  facts: EmbeddingsFacts
  run: RunHeavy
}

export interface HeavyBytes {
  bytes: Buffer
  organizationId: string
  /** Aborts when the client is gone: waiting jobs are then not begun. */
  closed: AbortSignal
}

/** Runs jobs on these bytes, one after the other. */
export function heavyRunner(
  threads: Threads<HeavyJobs>,
  { bytes, organizationId: holder, closed: signal }: HeavyBytes,
): RunHeavy {
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

/** Rejects with an `ApiError` for bytes that are not JSON, or not a request of this shape. */
export type ReadHeavyBody = (bytes: HeavyBytes, shape: TextShape) => Promise<HeavyBody>

export function readHeavyBody({
  threads,
  allowedRanges,
}: {
  threads: Threads<HeavyJobs>
  /** Private address ranges that URLs in a body may use. */
  allowedRanges: readonly string[]
}): ReadHeavyBody {
  return async (bytes, shape) => {
    const run = heavyRunner(threads, bytes)
    const facts = await run('read', { ...shape, allowedRanges })
    return { value: facts.outline, facts, items: new Map(), ownIds: undefined, run }
  }
}

/** Rejects with an `ApiError` for bytes that are not a request for embeddings. */
export type ReadHeavyEmbeddings = (bytes: HeavyBytes) => Promise<HeavyEmbeddings>

export function readHeavyEmbeddings({ threads }: { threads: Threads<HeavyJobs> }): ReadHeavyEmbeddings {
  return async (bytes) => {
    const run = heavyRunner(threads, bytes)
    return { facts: await run('readEmbeddings', {}), run }
  }
}
