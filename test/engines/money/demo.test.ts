import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/compose/config.ts'
import { fillDemo } from '../../../src/compose/demo/fill-demo.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

const SECRET = 'a-secret-of-the-demo-test-0123456789'
/** Tables with rows that belong to no organization. */
const DEPLOYMENT = /^(sluice_migrations|models|model_prices|deployment|receipt_keys|usage_retention|log_span)/

type Rows = (text: string) => Promise<Record<string, unknown>[]>

async function onSqlite(): Promise<{ environment: Record<string, string>; rows: Rows; tables: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'))
  const rows: Rows = async (text) => {
    const database = new DatabaseSync(join(folder, 'sluice.db'))
    try {
      return database.prepare(text).all()
    } finally {
      database.close()
    }
  }
  const tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
  return { environment: { DATA_DIR: folder }, rows, tables }
}

async function onPostgres(): ReturnType<typeof onSqlite> {
  const database = await databaseWithTables()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  const rows: Rows = async (text) => (await client.query(text)).rows
  const tables = "select tablename as name from pg_tables where schemaname = 'public'"
  return { environment: { DATABASE_URL: database.url, SANDBOX: 'on' }, rows, tables }
}

/** Number of rows of each table that is not empty, without the tables of the deployment. */
async function countRows(rows: Rows, tables: string): Promise<Record<string, number>> {
  const names = (await rows(tables)).map(({ name }) => String(name))
  const counts: [string, number][] = []
  for (const name of names.filter((one) => !DEPLOYMENT.test(one)))
    counts.push([name, Number((await rows(`select count(*) as n from ${name}`))[0]?.n)])
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

test.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
] as const)(
  'the demo on %s: its money adds up by day, it is refused next to customers, and its removal leaves no row',
  async (_, open) => {
    const { environment, rows, tables } = await open()
    const config = readConfig({
      environment: { ...environment, SLUICE_SECRET: SECRET, LOG_LEVEL: 'silent' },
      readFile: () => '',
    })
    const report = await fillDemo(config, { besideCustomers: false, days: 5 })
    const { operator, close } = await composeOperator(config)
    onTestFinished(close)
    const wasMade = await rows('select id, name, created_at_ms from organizations order by created_at_ms')
    expect(wasMade.map(({ name }) => name)).toEqual([
      ...['Kestrel Film (demo)', 'Harbour Studio (demo)', '北岸影像 (demo)'],
    ])
    expect((await operator.listDemo()).toSorted()).toEqual(report.organizationIds.toSorted())
    expect(await operator.checkLedger()).toMatchObject({ violations: [], unmeasuredCharges: 0 })
    const [text] = await rows('select count(*) as n, min(created_at_ms) as first from text_usage')
    expect(Number(text?.n)).toBe(report.requests)
    expect(Number(text?.first)).toBeLessThan(Date.now() - 4 * 86_400_000)
    expect(await rows("select id from video_tasks where status not in ('succeeded', 'failed')")).toEqual([])
    expect(await rows("select id from holds where state = 'open'")).toEqual([])

    await expect(fillDemo(config, { besideCustomers: true })).rejects.toThrow('has the demo already')
    const { organization } = await operator.createOrganization({
      ...{ name: 'real', billing: 'prepaid', requestsPerMinute: null },
    })
    const credit = { organizationId: organization.id, amountMicros: micros(7_000_000), note: null }
    await operator.addCredit(credit)
    const { organizationIds } = await operator.removeDemo()
    expect(organizationIds).toHaveLength(3)
    // Three audit rows: the customer, its credit of exactly 7 USD, and the removal.
    expect(await countRows(rows, tables)).toEqual({ organizations: 1, ledger_entries: 1, audit_events: 3 })
    expect((await operator.showOrganization(organization.id)).balanceMicros).toBe(7_000_000)
    expect(await operator.checkLedger()).toMatchObject({ violations: [], unmeasuredCharges: 0 })
    await expect(operator.removeDemo()).rejects.toThrow('There is no demo')
    await expect(fillDemo(config, { besideCustomers: false })).rejects.toThrow('The store has customers')
  },
)
