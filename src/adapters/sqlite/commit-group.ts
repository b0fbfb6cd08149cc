import type { DatabaseSync } from 'node:sqlite'
import { Undone } from '../sql/undone.ts'
import { type Failure, toFailure } from './failure.ts'
import type { Call, Reply } from './messages.ts'

/** A group ends here, so that its callers and other processes get their turn. */
const CALLS_MAX = 256
const DURATION_MS_MAX = 5

/**
 * Runs what is waiting in the transaction that `takeWriteLock` began, and ends it: the disk is asked once, and nobody
 * hears "done" before it answered. Each call has a savepoint of its own, so that one that fails takes nothing of its
 * neighbours along.
 */
export async function commitGroup({
  database,
  next,
  run,
  nowMs,
}: {
  database: DatabaseSync
  next: () => Call | undefined
  run: (call: Call) => Promise<unknown>
  /** Monotonic. */
  nowMs: () => number
}): Promise<Reply[]> {
  const replies: Reply[] = []
  const deadlineMs = nowMs() + DURATION_MS_MAX
  const isFull = () => replies.length >= CALLS_MAX || nowMs() >= deadlineMs
  try {
    for (let call = next(); call !== undefined; call = isFull() ? undefined : next()) {
      replies.push({ id: call.id, failure: UNFINISHED })
      replies[replies.length - 1] = await runInSavepoint({ database, call, run })
    }
    database.exec('commit')
    return replies
  } catch (error) {
    rollBack(database)
    return replies.map(({ id }) => ({ id, failure: toGroupFailure(error) }))
  }
}

const UNFINISHED: Failure = { kind: 'unavailable', reason: 'the group was given up' }

async function runInSavepoint({
  database,
  call,
  run,
}: {
  database: DatabaseSync
  call: Call
  run: (call: Call) => Promise<unknown>
}): Promise<Reply> {
  database.exec('savepoint call')
  try {
    const result = await run(call)
    database.exec('release call')
    return { id: call.id, result }
  } catch (error) {
    // A full or broken disk ends the whole transaction by itself: then the group is lost, not this call alone.
    if (!database.isTransaction) throw error
    database.exec('rollback to call; release call')
    if (error instanceof Undone) return { id: call.id, result: error.answer }
    return { id: call.id, failure: toFailure(error) }
  }
}

function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback')
}

/** Whatever broke the transaction, to the callers in it the store was away: none of their rows are there. */
function toGroupFailure(error: unknown): Failure {
  const failure = toFailure(error)
  return failure.kind === 'fault' ? { kind: 'unavailable', reason: failure.message } : failure
}
