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
 * is answered before it. A call that fails undoes nothing of the others: each could have a savepoint of its own, but that
 * makes SQLite copy every page that the call touches, and most groups have no call that fails. So calls run without one
 * until the first fails; after that the next groups begin with savepoints, so that few groups run twice.
 */
export async function commitGroup({
  database,
  next,
  run,
  nowMs,
  caution,
}: {
  database: DatabaseSync
  next: () => Call | undefined
  /** Called a second time for a call whose first run was rolled back with another's. */
  run: (call: Call) => Promise<unknown>
  /** Monotonic. */
  nowMs: () => number
  /** Kept from group to group. */
  caution: Caution
}): Promise<Reply[]> {
  const usesSavepoints = caution.groupsLeft > 0
  if (usesSavepoints) caution.groupsLeft -= 1
  const group: Group = { database, run, caution, calls: [], replies: [], undone: 0, usesSavepoints }
  const deadlineMs = nowMs() + DURATION_MS_MAX
  const isFull = () => group.calls.length >= CALLS_MAX || nowMs() >= deadlineMs
  try {
    for (let call = next(); call !== undefined; call = isFull() ? undefined : next()) {
      group.calls.push(call)
      if (!database.isTransaction) takeWriteLock(database)
      await (group.usesSavepoints ? runInSavepoint(group, call) : runPlain(group, call))
    }
    if (database.isTransaction) database.exec('commit')
    return group.replies
  } catch (error) {
    rollBack(database)
    const failure = toGroupFailure(error)
    const lost = group.calls.slice(group.undone).map(({ id }) => ({ id, failure }))
    return [...group.replies.slice(0, group.undone), ...lost]
  }
}

/** How many of the next groups use savepoints from their beginning. */
export interface Caution {
  groupsLeft: number
}

const CAUTIOUS_GROUPS = 32

interface Group {
  database: DatabaseSync
  run: (call: Call) => Promise<unknown>
  caution: Caution
  calls: Call[]
  /** One for each of the calls, in their order. */
  replies: Reply[]
  /** So many from the first on failed alone: their answers stand, whatever becomes of the others. */
  undone: number
  usesSavepoints: boolean
}

async function runPlain(group: Group, call: Call): Promise<void> {
  const { database, replies, run } = group
  try {
    replies.push({ id: call.id, result: await run(call) })
  } catch (error) {
    // A full or broken disk ends the whole transaction by itself: then the group is lost, not this call alone.
    if (!database.isTransaction) throw error
    database.exec('rollback')
    if (replies.length === group.undone) {
      replies.push(replyTo(call, error))
      group.undone += 1
    } else {
      await runAgain(group)
    }
  }
}

/** What the failed call saw of those before it was rolled back with them, so it runs again too. */
async function runAgain(group: Group): Promise<void> {
  const { database, calls, replies, undone } = group
  takeWriteLock(database)
  group.usesSavepoints = true
  replies.length = undone
  for (const call of calls.slice(undone)) await runInSavepoint(group, call)
}

async function runInSavepoint({ database, replies, run, caution }: Group, call: Call): Promise<void> {
  database.exec('savepoint call')
  try {
    const result = await run(call)
    database.exec('release call')
    replies.push({ id: call.id, result })
  } catch (error) {
    if (!database.isTransaction) throw error
    database.exec('rollback to call; release call')
    replies.push(replyTo(call, error))
    caution.groupsLeft = CAUTIOUS_GROUPS
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
