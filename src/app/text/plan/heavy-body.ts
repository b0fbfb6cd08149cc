import { ApiError } from '../../../domain/api-error.ts'
import type { BodyChanges, EmbeddingsFacts, HeavyJobs, KnownItems } from '../../../llm/body/heavy-jobs.ts'
import type { BodyFacts, TextShape } from '../../../llm/body/read-facts.ts'
import type { Threads } from '../../../ports/threads.ts'

export type RunHeavy = <Name extends keyof HeavyJobs & string>(
  name: Name,
  args: Parameters<HeavyJobs[Name]>[1],
) => Promise<ReturnType<HeavyJobs[Name]>>

/** A body that would hold up every other request: its bytes are read and converted on another thread. */
export interface HeavyBody {
  /** Only its outline; the rest of it never comes to the main thread. */
  value: BodyFacts['outline']
  facts: BodyFacts
  /** What it points to, as far as it is known. */
  items: KnownItems
  /** What the gateway sets in it. */
  changes?: BodyChanges
  /** Its vendor is asked for a summary of the conversation. */
  asksForSummary?: true
  /** Of the ids that it can do without, those that stay; undefined: all of them. */
  ownIds: ReadonlySet<string> | undefined
  run: RunHeavy
}

/** A large request for embeddings, which another thread has read. */
export interface HeavyEmbeddings {
  facts: EmbeddingsFacts
  run: RunHeavy
}

export interface HeavyBytes {
  bytes: Buffer
  organizationId: string
  /** Aborts when the client is gone: what waits then is not begun. */
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
    // They went down with the thread that had them.
    if (given === undefined) throw new ApiError('overloaded')
    kept = undefined
    const end = await threads.run(name, given, args, { holder, signal })
    kept = end.bytes
    if ('refused' in end) throw end.refused
    return end.result
  }
}

/** Rejects with an `ApiError` for bytes that are no JSON, or no request of this shape. */
export type ReadHeavyBody = (bytes: HeavyBytes, shape: TextShape) => Promise<HeavyBody>

export function readHeavyBody({
  threads,
  allowedRanges,
}: {
  threads: Threads<HeavyJobs>
  /** Private addresses that URLs in a body may lead to. */
  allowedRanges: readonly string[]
}): ReadHeavyBody {
  return async (bytes, shape) => {
    const run = heavyRunner(threads, bytes)
    const facts = await run('read', { ...shape, allowedRanges })
    return { value: facts.outline, facts, items: new Map(), ownIds: undefined, run }
  }
}

/** Rejects with an `ApiError` for bytes that are no request for embeddings. */
export type ReadHeavyEmbeddings = (bytes: HeavyBytes) => Promise<HeavyEmbeddings>

export function readHeavyEmbeddings({ threads }: { threads: Threads<HeavyJobs> }): ReadHeavyEmbeddings {
  return async (bytes) => {
    const run = heavyRunner(threads, bytes)
    return { facts: await run('readEmbeddings', {}), run }
  }
}
