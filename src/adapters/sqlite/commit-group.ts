import type { DatabaseSync } from 'node:sqlite'
import { RollbackWith } from '../sql/rollback-with.ts'
import type { Call, Reply } from './messages.ts'
import { type SentError, toSentError } from './sent-error.ts'
import { takeWriteLock } from './write-lock.ts'

/** A group ends here, so that its callers and other processes get their turn. */
const CALLS_MAX = 256
const DURATION_MS_MAX = 5

/**
 * Runs the waiting calls in the transaction that `takeWriteLock` began, and commits it: one write to disk, and no call
 * is answered before it. A call that fails undoes nothing of the others: a lone first call is undone by rolling the
 * transaction back, and a new one is begun for the next; all others have a savepoint of their own. Most groups are
 * one call, and a savepoint makes SQLite copy every page that it touches.
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
  /** So many from the first on failed alone: their answers stand, whatever becomes of the others. */
  let undone = 0
  const deadlineMs = nowMs() + DURATION_MS_MAX
  const isFull = () => replies.length >= CALLS_MAX || nowMs() >= deadlineMs
  try {
    for (let call = next(); call !== undefined; call = isFull() ? undefined : next()) {
      const attempt = { database, call, run }
      const before = replies.length
      replies.push({ id: call.id, failure: UNFINISHED })
      if (!database.isTransaction) takeWriteLock(database)
      const isAlone = before === undone
      replies[before] = isAlone ? await runAlone(attempt) : await runInSavepoint(attempt)
      if (!database.isTransaction) undone = replies.length
    }
    if (database.isTransaction) database.exec('commit')
    return replies
  } catch (error) {
    rollBack(database)
    return replies.map((reply, index) =>
      index < undone ? reply : { id: reply.id, failure: toGroupFailure(error) },
    )
  }
}

const UNFINISHED: SentError = { kind: 'unavailable', reason: 'the group was given up' }

interface Attempt {
  database: DatabaseSync
  call: Call
  run: (call: Call) => Promise<unknown>
}

async function runAlone({ database, call, run }: Attempt): Promise<Reply> {
  try {
    return { id: call.id, result: await run(call) }
  } catch (error) {
    // A full or broken disk ends the whole transaction by itself: then the group is lost, not this call alone.
    if (!database.isTransaction) throw error
    database.exec('rollback')
    return replyTo(call, error)
  }
}

async function runInSavepoint({ database, call, run }: Attempt): Promise<Reply> {
  database.exec('savepoint call')
  try {
    const result = await run(call)
    database.exec('release call')
    return { id: call.id, result }
  } catch (error) {
    if (!database.isTransaction) throw error
    database.exec('rollback to call; release call')
    return replyTo(call, error)
  }
}

function replyTo({ id }: Call, error: unknown): Reply {
  return error instanceof RollbackWith ? { id, result: error.answer } : { id, failure: toSentError(error) }
}

function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback')
}

/** Whatever broke the transaction, its callers get "store unavailable": none of their rows were written. */
function toGroupFailure(error: unknown): SentError {
  const failure = toSentError(error)
  return failure.kind === 'fault' ? { kind: 'unavailable', reason: failure.message } : failure
}
