import { Kysely, PostgresDialect, sql } from 'kysely'
import { ApiError } from '../../domain/api-error.ts'
import type { Engine, StoreOperation } from '../sql/engine.ts'
import type { EngineTraits } from '../sql/engine-traits.ts'
import { createLongReads } from '../sql/long-reads.ts'
import { RollbackWith } from '../sql/rollback-with.ts'
import type { Tables } from '../sql/tables.ts'
import { rethrow } from './failure.ts'
import { onOwnConnection } from './migrate.ts'
import type { SharedPool } from './share-connections.ts'
import { VALUE_PARSERS } from './value-parsers.ts'

export function postgresEngine({ url, pool }: { url: string; pool: SharedPool }): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  // Long reads get a quarter of the connections, so that short reads and writes find one.
  const longReads = createLongReads({ concurrentMax: Math.max(1, Math.floor(pool.options.max / 4)) })
  return {
    read: ({ run }, args) => run(db, ...args).catch(rethrow),
    readLong: ({ run }, args) => longReads.run(args[0], () => run(db, ...args).catch(rethrow)),
    single: ({ run }, args) => run(db, ...args, POSTGRES_TRAITS).catch(rethrow),
    write: (operation, args) => write(db, operation, args).catch(rethrow),
    report: (operation, args) => runReportOnSnapshot(url, operation, args).catch(rethrow),
    ping: () => ping(db).catch(rethrow),
    async close() {
      await longReads.close()
      await pool.end()
    },
  }
}

function write(db: Kysely<Tables>, { run }: StoreOperation, args: readonly unknown[]): Promise<unknown> {
  return db
    .transaction()
    .execute((transaction) => run(transaction, ...args, POSTGRES_TRAITS))
    .catch(answerOfRollback)
}

function answerOfRollback(error: unknown) {
  if (error instanceof RollbackWith) return error.answer
  throw error
}

/** Rejects for a standby, which answers but accepts no writes. */
async function ping(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting('transaction_read_only') as mode`.execute(db)
  if (rows[0]?.mode !== 'off') {
    throw new ApiError('store_unavailable', { cause: new Error('the server takes no writes') })
  }
}

export const POSTGRES_TRAITS: EngineTraits = {
  lockTable: async (db, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  },
  lockName: async (db, name) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
  },
  // `for update` would wait for transactions that insert references, and could deadlock with them.
  lockRows: sql`for no key update`,
  lockRowsSkippingLocked: sql`for no key update skip locked`,
}

/** Time limit of a statement over all rows; only workers and operators wait for it. */
const STATEMENT_TIMEOUT_MS = 600_000

async function runReportOnSnapshot(
  url: string,
  { run }: StoreOperation,
  args: readonly unknown[],
): Promise<unknown> {
  const options = { connectionString: url, application_name: 'sluice-report', types: VALUE_PARSERS }
  return onOwnConnection(options, (db) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(snapshot)
        return run(snapshot, ...args)
      }),
  )
}
