import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { sampleAudit, sampleOrganization } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { startStoreProgram } from './store-program.ts'

const KILLS = roundsOf({ slice: 10, whole: 50 })
const TIMEOUT_MS = 300_000

interface Victim {
  engine: 'sqlite' | 'postgres'
  place: string
  open(role: 'server' | 'beside'): Promise<Store>
  checkWhole(): void
}

/** Kills a program during its writes again and again; no confirmed write may be missing later. */
async function killAgainAndAgain({ engine, place, open, checkWhole }: Victim): Promise<void> {
  const random = seededRandom(seedOfRun())
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = startStoreProgram(engine, place, 'write', `org_${kill}`)
    await program.said(random.integer(2, 200))
    await wait(random.integer(0, 20))
    await program.kill()
    expect(program.errors()).toBe('')
    acknowledged.push(...program.lines.slice(1))
    checkWhole()
    expect(await missingFrom(await open('beside'), acknowledged)).toEqual([])
  }
  const store = await open('server')
  await store.organizations.create(sampleOrganization({ id: 'org_last' }), sampleAudit())
  expect(await missingFrom(store, [...acknowledged, 'org_last'])).toEqual([])
  process.stdout.write(
    `kill -9 on ${engine}: ${KILLS} kills, ${acknowledged.length} acknowledged rows, 0 lost\n`,
  )
}

async function missingFrom(store: Store, ids: readonly string[]): Promise<string[]> {
  const found = new Set((await store.organizations.list()).map(({ id }) => id))
  await store.close()
  return ids.filter((id) => !found.has(id))
}

describe('kill -9 during writes loses no acknowledged row', () => {
  test('on SQLite', { timeout: TIMEOUT_MS }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-kill-'))
    await killAgainAndAgain({
      engine: 'sqlite',
      place: dataDir,
      open: (role) => openSqliteStore({ dataDir, role, log: SILENT_LOG }),
      checkWhole: () => expect(integrityOf(join(dataDir, 'sluice.db'))).toEqual([{ integrity_check: 'ok' }]),
    })
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', { timeout: TIMEOUT_MS }, async () => {
    const { url, drop } = await databaseWithTables()
    await killAgainAndAgain({
      engine: 'postgres',
      place: url,
      open: () => openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools() }),
      checkWhole: () => {},
    })
    await drop()
  })
})

function integrityOf(path: string): object[] {
  const database = new DatabaseSync(path)
  try {
    return database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}
