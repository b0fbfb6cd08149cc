import { type ReportArgs, type ReportName, type ReportResult, runReport } from '../sql/operations.ts'
import { openForReading } from './connection.ts'
import { queryBuilder } from './query-builder.ts'

/** In WAL a read transaction sees the file as it was when it began, however much is written meanwhile. */
export async function runReportOnSnapshot<Name extends ReportName>(
  path: string,
  name: Name,
  args: ReportArgs<Name>,
): Promise<ReportResult<Name>> {
  const database = openForReading(path)
  try {
    database.exec('begin deferred')
    return await runReport(queryBuilder(database), name, args)
  } finally {
    database.close()
  }
}
