import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { Refusal } from '../../domain/refusal.ts'
import type { Engine } from '../sql/engine.ts'
import { createLongReads } from '../sql/long-reads.ts'
import {
  runRead,
  runWrite,
  SINGLE_STATEMENT_WRITES,
  type WriteArgs,
  type WriteName,
  type WriteResult,
} from '../sql/operations.ts'
import type { Tables } from '../sql/tables.ts'
import { Undone } from '../sql/undone.ts'
import { rethrow } from './failure.ts'
import { runReportOnSnapshot } from './report.ts'
import { POSTGRES_TRAITS } from './traits.ts'

export function postgresEngine({ url, pool }: { url: string; pool: Pool }): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  // Whatever is searched for, most connections are left to short reads and writes.
  const longReads = createLongReads({ atOnceMax: Math.max(1, Math.floor(pool.options.max / 4)) })
  return {
    read: (name, args) => runRead(db, name, args).catch(rethrow),
    // The server has a process for each connection, and looks there.
    readLong: (name, args) => longReads.run(args, () => runRead(db, name, args).catch(rethrow)),
    write: (name, args) => write(db, name, args).catch(rethrow),
    report: (name, args) => runReportOnSnapshot(url, name, args).catch(rethrow),
    ping: () => ping(db).catch(rethrow),
    async close() {
      await longReads.close()
      await pool.end()
    },
  }
}

function write<Name extends WriteName>(
  db: Kysely<Tables>,
  name: Name,
  args: WriteArgs<Name>,
): Promise<WriteResult<Name>> {
  if (SINGLE_STATEMENT_WRITES.has(name)) return runWrite(db, name, args, POSTGRES_TRAITS)
  return db
    .transaction()
    .execute((transaction) => runWrite(transaction, name, args, POSTGRES_TRAITS))
    .catch(answerOfUndone)
}

function answerOfUndone(error: unknown) {
  if (error instanceof Undone) return error.answer
  throw error
}

/** A standby answers too, but takes no writes. */
async function ping(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting('transaction_read_only') as mode`.execute(db)
  if (rows[0]?.mode !== 'off') {
    throw new Refusal('store_unavailable', { cause: new Error('the server takes no writes') })
  }
}
