import type { DatabaseSync } from 'node:sqlite'
import { RollbackWith } from '../sql/rollback-with.ts'
import type { StoreCall, StoreReply } from './messages.ts'
import { type SentError, toSentError } from './sent-error.ts'
import { takeWriteLock } from './write-lock.ts'

/** Limits of a group, so that its callers and other processes get their turn. */
const CALLS_MAX = 256
const DURATION_MS_MAX = 5

/**
 * Runs the waiting calls in the transaction that `takeWriteLock` began, and commits it. One write to disk thus serves all
 * calls, which are answered after it. A failing call must not undo others, but a savepoint makes SQLite copy every page
 * that a call changes, and calls rarely fail. Calls therefore run without savepoints until one fails after others
 * succeeded; then all of them run again, with savepoints. After a failure in a savepoint the next 32 groups use
 * savepoints from the start, so that few groups run twice.
 */
export async function commitGroup(input: {
  database: DatabaseSync
  next: () => StoreCall | undefined
  /** Runs a call, a second time if it was rolled back because another call failed. */
  run: (call: StoreCall) => Promise<unknown>
  /** Monotonic time. */
  nowMs: () => number
  /** State that all groups share. */
  savepoints: SavepointState
}): Promise<StoreReply[]> {
  const { database, next, run, nowMs, savepoints } = input
  const usesSavepoints = savepoints.groupsLeft > 0
  if (usesSavepoints) savepoints.groupsLeft -= 1
  const group: CommitGroup = {
    database,
    run,
    savepoints,
    calls: [],
    replies: [],
    failedFirst: 0,
    usesSavepoints,
  }
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
    if (database.isTransaction) database.exec('rollback')
    const failure = toGroupFailure(error)
    const lost = group.calls.slice(group.failedFirst).map(({ id }) => ({ id, failure }))
    return [...group.replies.slice(0, group.failedFirst), ...lost]
  }
}

export interface SavepointState {
  /** Number of next groups that use savepoints from the start. */
  groupsLeft: number
}

const SAVEPOINT_GROUPS = 32

interface CommitGroup {
  database: DatabaseSync
  run: (call: StoreCall) => Promise<unknown>
  savepoints: SavepointState
  calls: StoreCall[]
  /** Replies in the order of the calls. */
  replies: StoreReply[]
  /** Number of calls that failed before any succeeded; their replies stay valid in a second run. */
  failedFirst: number
  usesSavepoints: boolean
}

async function runPlain(group: CommitGroup, call: StoreCall): Promise<void> {
  const { database, replies, run } = group
  try {
    replies.push({ id: call.id, result: await run(call) })
  } catch (error) {
    // A full or broken disk ends the transaction, so the whole group fails, not only this call.
    if (!database.isTransaction) throw error
    database.exec('rollback')
    if (replies.length === group.failedFirst) {
      replies.push(replyTo(call, error))
      group.failedFirst += 1
    } else {
      await runAgain(group)
    }
  }
}

/** Runs the calls again, also the failed one, which has read changes that were rolled back. */
async function runAgain(group: CommitGroup): Promise<void> {
  const { database, calls, replies, failedFirst } = group
  takeWriteLock(database)
  group.usesSavepoints = true
  replies.length = failedFirst
  for (const call of calls.slice(failedFirst)) await runInSavepoint(group, call)
}

async function runInSavepoint(input: CommitGroup, call: StoreCall): Promise<void> {
  const { database, replies, run, savepoints } = input
  database.exec('savepoint call')
  try {
    const result = await run(call)
    database.exec('release call')
    replies.push({ id: call.id, result })
  } catch (error) {
    if (!database.isTransaction) throw error
    database.exec('rollback to call; release call')
    replies.push(replyTo(call, error))
    savepoints.groupsLeft = SAVEPOINT_GROUPS
  }
}

function replyTo({ id }: StoreCall, error: unknown): StoreReply {
  return error instanceof RollbackWith ? { id, result: error.answer } : { id, failure: toSentError(error) }
}

/** Converts a failed transaction, which wrote no row, to "store unavailable" for its callers. */
function toGroupFailure(error: unknown): SentError {
  const failure = toSentError(error)
  return failure.kind === 'fault' ? { kind: 'unavailable', reason: failure.message } : failure
}
