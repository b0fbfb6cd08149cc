import { parentPort, workerData } from 'node:worker_threads'
import { operationOf } from '../sql/statements.ts'
import { openForReading } from './connection.ts'
import type { StoreCall, StoreReply, StoreThreadMessage } from './messages.ts'
import { queryBuilder } from './query-builder.ts'
import { toSentError } from './sent-error.ts'

/** Thread of the long reads, which run one after another in order of arrival. */
if (parentPort === null) throw new Error('This file is the body of a worker thread.')
const port = parentPort

const database = openForReading(workerData.path)
const db = queryBuilder(database)
let last: Promise<unknown> = Promise.resolve()

port.on('message', (message: StoreThreadMessage) => {
  const work = message.kind === 'close' ? close : () => answerAll(message.calls)
  last = last.then(work)
})

async function answerAll(calls: readonly StoreCall[]): Promise<void> {
  for (const call of calls) port.postMessage([await answer(call)])
}

/** Answers a call in a read transaction, which in WAL mode does not see later writes. */
async function answer(call: StoreCall): Promise<StoreReply> {
  try {
    database.exec('begin deferred')
    return { id: call.id, result: await operationOf(call.name).run(db, ...call.args) }
  } catch (error) {
    return { id: call.id, failure: toSentError(error) }
  } finally {
    if (database.isTransaction) database.exec('rollback')
  }
}

function close(): void {
  database.close()
  port.close()
}
