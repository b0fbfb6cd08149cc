import { parentPort, workerData } from 'node:worker_threads'
import { REPORTS } from '../sql/operations.ts'
import {
  type ReadArgs,
  type ReadName,
  type ReportArgs,
  type ReportName,
  runRead,
  runReport,
} from '../sql/run-operation.ts'
import { openForReading } from './connection.ts'
import type { Call, ReaderCallName, Reply, ToThread } from './messages.ts'
import { queryBuilder } from './query-builder.ts'
import { toSentError } from './sent-error.ts'

/** The thread of the long reads: one after the other, in the order in which they came. */
if (parentPort === null) throw new Error('This file is the body of a worker thread.')
const port = parentPort

const database = openForReading(workerData.path)
const db = queryBuilder(database)
let last: Promise<unknown> = Promise.resolve()

port.on('message', (message: ToThread<ReaderCallName>) => {
  const work = message.kind === 'close' ? close : () => answerAll(message.calls)
  last = last.then(work)
})

async function answerAll(calls: readonly Call<ReaderCallName>[]): Promise<void> {
  for (const call of calls) port.postMessage([await answer(call)])
}

/** In WAL a read transaction sees the file as it was when it began, however much is written meanwhile. */
async function answer(call: Call<ReaderCallName>): Promise<Reply> {
  try {
    database.exec('begin deferred')
    return { id: call.id, result: await run(call) }
  } catch (error) {
    return { id: call.id, failure: toSentError(error) }
  } finally {
    if (database.isTransaction) database.exec('rollback')
  }
}

/** The types were checked where the call was made; between the threads they are only a name and its arguments. */
async function run({ name, args }: Call<ReaderCallName>): Promise<unknown> {
  if (isReport(name)) return await runReport(db, name, args as ReportArgs<ReportName>)
  return await runRead(db, name, args as ReadArgs<ReadName>)
}

function isReport(name: ReaderCallName): name is ReportName {
  return Object.hasOwn(REPORTS, name)
}

function close(): void {
  database.close()
  port.close()
}
