import { DatabaseSync } from 'node:sqlite'
import { AMOUNT_MICROS, COST_MICROS, type LedgerRun, ORGANIZATION_ID } from '../ledger-run.ts'

/** The statements of a hold and of a settlement, prepared, on a connection of their own with the same durability. */
export function bareLedgerSqlite(path: string, { pairsPerCommit }: { pairsPerCommit: number }): LedgerRun {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma fullfsync = on')
  const admit = database.prepare(
    "update organizations set held_micros = held_micros + ? where id = ? and (billing = 'postpaid' or balance_micros - held_micros >= ?)",
  )
  const hold = database.prepare(
    "insert into holds (id, organization_id, kind, user_id, day, task_id, amount_micros, state, created_at_ms, expires_at_ms) values (?, ?, 'task', 'usr_bare', '2030-01-01', ?, ?, 'open', 0, 1)",
  )
  const day = database.prepare(
    "insert into user_days (user_id, day, used_micros, version) values ('usr_bare', '2030-01-01', ?, 1) on conflict (user_id, day) do update set used_micros = user_days.used_micros + excluded.used_micros, version = user_days.version + 1 returning version",
  )
  const end = database.prepare(
    "update holds set state = 'settled', ended_at_ms = 2 where id = ? and state = 'open' returning organization_id, amount_micros",
  )
  const charge = database.prepare(
    'update organizations set balance_micros = balance_micros - ?, held_micros = held_micros - ? where id = ?',
  )
  const entry = database.prepare(
    "insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms) values (?, ?, 'settlement', ?, ?, 2)",
  )
  const inOneCommit = (ids: string[], work: (id: string) => void) => {
    database.exec('begin immediate')
    for (const id of ids) work(id)
    database.exec('commit')
  }
  return {
    name: `bare node:sqlite, ${pairsPerCommit} to a commit`,
    async run(ids) {
      for (let from = 0; from < ids.length; from += pairsPerCommit) {
        const group = ids.slice(from, from + pairsPerCommit)
        inOneCommit(group, (id) => {
          admit.run(AMOUNT_MICROS, ORGANIZATION_ID, AMOUNT_MICROS)
          hold.run(id, ORGANIZATION_ID, id, AMOUNT_MICROS)
          day.get(AMOUNT_MICROS)
        })
        inOneCommit(group, (id) => {
          end.get(id)
          day.get(COST_MICROS - AMOUNT_MICROS)
          entry.run(`${id}-entry`, ORGANIZATION_ID, -COST_MICROS, id)
          charge.run(COST_MICROS, AMOUNT_MICROS, ORGANIZATION_ID)
        })
      }
    },
    close: async () => database.close(),
  }
}
