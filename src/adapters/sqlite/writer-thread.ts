import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { operationOf } from '../sql/statements.ts'
import { commitGroup } from './commit-group.ts'
import { openForWriting } from './connection.ts'
import type { StoreCall, StoreReply, StoreThreadMessage } from './messages.ts'
import { queryBuilder } from './query-builder.ts'
import { toSentError } from './sent-error.ts'
import { SQLITE_TRAITS } from './traits.ts'
import { takeWriteLock } from './write-lock.ts'

/** Thread with the writing connection. Calls that arrive during a commit form the next group and share one commit. */
if (parentPort === null) throw new Error('This file is the body of a worker thread.')
const port = parentPort

const database = openForWriting(workerData.path)
// From here only `begin` can find the file locked, and `takeWriteLock` retries it.
database.exec('pragma busy_timeout = 0')
const db = queryBuilder(database)

const waiting: StoreCall[] = []
const savepoints = { groupsLeft: 0 }
let isWorking = false
let isClosing = false

port.on('message', (message: StoreThreadMessage) => {
  accept(message)
  void work()
})

function accept(message: StoreThreadMessage): void {
  if (message.kind === 'close') isClosing = true
  else for (const call of message.calls) waiting.push(call)
}

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  while (waiting.length > 0) await commitWaiting()
  isWorking = false
  if (isClosing) close()
}

async function commitWaiting(): Promise<void> {
  try {
    takeWriteLock(database)
  } catch (error) {
    // `takeWriteLock` has waited for its whole time limit, so every waiting call fails now.
    const failure = toSentError(error)
    return answer(waiting.splice(0).map(({ id }) => ({ id, failure })))
  }
  answer(await commitGroup({ database, next: takeNext, run, nowMs: () => performance.now(), savepoints }))
}

function takeNext(): StoreCall | undefined {
  const arrived = receiveMessageOnPort(port)
  if (arrived !== undefined) accept(arrived.message)
  return waiting.shift()
}

async function run({ name, args }: StoreCall): Promise<unknown> {
  if (name === 'ping') return undefined
  return operationOf(name).run(db, ...args, SQLITE_TRAITS)
}

function answer(replies: StoreReply[]): void {
  port.postMessage(replies)
}

function close(): void {
  database.close()
  port.close()
}
