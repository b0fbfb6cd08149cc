import { Pool, type PoolClient } from 'pg'
import {
  AMOUNT_MICROS,
  COST_MICROS,
  IN_FLIGHT,
  inParallel,
  type LedgerRun,
  ORGANIZATION_ID,
} from '../ledger-run.ts'

/** The statements of a hold and of a settlement through `pg` alone, with as many connections and callers. */
export function bareLedgerPostgres(url: string, { connections }: { connections: number }): LedgerRun {
  const pool = new Pool({ connectionString: url, max: connections })
  const inTransaction = async (work: (client: PoolClient) => Promise<void>) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await work(client)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  return {
    name: 'bare pg',
    run: (ids) =>
      inParallel(ids, IN_FLIGHT, async (id) => {
        await inTransaction(async (client) => {
          await client.query(HOLD, [id, ORGANIZATION_ID, id, AMOUNT_MICROS])
          await client.query(DAY, [AMOUNT_MICROS])
          await client.query(ADMIT, [AMOUNT_MICROS, ORGANIZATION_ID])
        })
        await inTransaction(async (client) => {
          await client.query(END, [id])
          await client.query(DAY, [COST_MICROS - AMOUNT_MICROS])
          await client.query(ENTRY, [`${id}-entry`, ORGANIZATION_ID, -COST_MICROS, id])
          await client.query(CHARGE, [COST_MICROS, AMOUNT_MICROS, ORGANIZATION_ID])
        })
      }),
    close: () => pool.end(),
  }
}

const ADMIT =
  "update organizations set held_micros = held_micros + $1 where id = $2 and (billing = 'postpaid' or balance_micros - held_micros >= $1)"
const HOLD =
  "insert into holds (id, organization_id, kind, user_id, day, task_id, amount_micros, state, created_at_ms, expires_at_ms) values ($1, $2, 'task', 'usr_bare', '2030-01-01', $3, $4, 'open', 0, 1)"
const DAY =
  "insert into user_days (user_id, day, used_micros, version) values ('usr_bare', '2030-01-01', $1, 1) on conflict (user_id, day) do update set used_micros = user_days.used_micros + excluded.used_micros, version = user_days.version + 1 returning version"
const END =
  "update holds set state = 'settled', ended_at_ms = 2 where id = $1 and state = 'open' returning organization_id, amount_micros"
const CHARGE =
  'update organizations set balance_micros = balance_micros - $1, held_micros = held_micros - $2 where id = $3'
const ENTRY =
  "insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms) values ($1, $2, 'settlement', $3, $4, 2)"
