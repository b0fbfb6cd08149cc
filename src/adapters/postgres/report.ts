import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { type ReportArgs, type ReportName, type ReportResult, runReport } from '../sql/operations.ts'
import type { Tables } from '../sql/tables.ts'
import { VALUE_PARSERS } from './value-parsers.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** For one statement over all rows; nobody's request waits for it. */
const STATEMENT_TIMEOUT_MS = 600_000

/** A connection outside the pool: the pool's own limits are for requests, and it has none to spare. */
export async function runReportOnSnapshot<Name extends ReportName>(
  url: string,
  name: Name,
  args: ReportArgs<Name>,
): Promise<ReportResult<Name>> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'sluice-report',
    max: 1,
    types: VALUE_PARSERS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((snapshot) => runReport(snapshot, name, args))
  } finally {
    await pool.end()
  }
}
