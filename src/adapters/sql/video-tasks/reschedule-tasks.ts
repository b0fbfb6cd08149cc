import { type Kysely, sql } from 'kysely'
import type { NextPoll } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'

/** In the order of their ids, like everybody who locks several rows. */
export async function rescheduleTasks(db: Kysely<Tables>, nexts: readonly NextPoll[]): Promise<void> {
  const sorted = nexts.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (let start = 0; start < sorted.length; start += LARGEST) {
    const group = sorted.slice(start, start + LARGEST)
    const size = SIZES.find((each) => each >= group.length) ?? LARGEST
    const rows = Array.from({ length: size }, (_, index) => group[index] ?? NOBODY)
    await putOffs[size]?.(
      db,
      rows.flatMap(({ id, fence, nextPollAtMs, seenAtMs }) => [id, fence, nextPollAtMs, seenAtMs]),
    )
  }
}

/** Few, so that an engine meets few different statements and can keep them prepared; a group is filled up to one of them. */
const SIZES = [1, 8, 64] as const
const LARGEST = 64
const NOBODY: NextPoll = { id: '', fence: 0, nextPollAtMs: 0, seenAtMs: null }

type Value = string | number | null

const putOffs: Readonly<Record<number, ReturnType<typeof putOffOf>>> = Object.fromEntries(
  SIZES.map((size) => [size, putOffOf(size)]),
)

function putOffOf(size: number) {
  return hotStatement<Value[]>((values) => {
    const rows = Array.from({ length: size }, (_, row) => {
      const [id, fence, nextPollAtMs, seenAtMs] = [0, 1, 2, 3].map((index) => values[row * 4 + index])
      return sql`(cast(${id} as text), cast(${fence} as bigint), cast(${nextPollAtMs} as bigint), cast(${seenAtMs} as bigint))`
    })
    return sql`
      update video_tasks set
        next_poll_at_ms = next.column3, updated_at_ms = coalesce(next.column4, updated_at_ms)
      from (values ${sql.join(rows)}) as next
      where video_tasks.id = next.column1 and video_tasks.fence = next.column2
        and video_tasks.status in ('submitting', 'queued', 'running')`
  })
}
