import { PostgresDialect } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { POSTGRES_TRAITS } from '../../src/adapters/postgres/engine.ts'
import { IN_FLIGHT, inParallel, type LedgerRun } from '../ledger-run.ts'
import { type RecordedStatement, recordPair } from './recorded-pair.ts'

/** The statements of a hold and of a settlement through `pg` alone, with as many connections and callers as Sluice. */
export async function bareLedgerPostgres(
  url: string,
  { connections }: { connections: number },
): Promise<LedgerRun> {
  const pool = new Pool({ connectionString: url, max: connections })
  const name = 'bare pg'
  const { hold, settlement } = await recordPair(name, {
    dialect: new PostgresDialect({ pool }),
    traits: POSTGRES_TRAITS,
  })
  const inTransaction = async (id: string, statements: readonly RecordedStatement[]) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const statement of statements) await run(client, id, statement)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  return {
    name,
    run: (ids) =>
      inParallel(ids, IN_FLIGHT, async (id) => {
        await inTransaction(id, hold)
        await inTransaction(id, settlement)
      }),
    close: () => pool.end(),
  }
}

async function run(client: PoolClient, id: string, { text, parametersOf }: RecordedStatement): Promise<void> {
  await client.query(text, parametersOf(id))
}
