import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { operationOf } from '../../../src/adapters/sql/statements.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { openWriter, type Writer } from '../../../src/adapters/sqlite/writer.ts'
import { sampleAudit, sampleOrganization, sampleUser } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'

let dataDir: string
let path: string
let writer: Writer
let reading: DatabaseSync

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-writer-'))
  path = join(dataDir, 'sluice.db')
  await migrateSqlite({ dataDir })
  const threadFile = new URL('./store-dying-thread.ts', import.meta.url)
  writer = openWriter({ path, log: SILENT_LOG, threadFile })
  reading = new DatabaseSync(path, { readOnly: true })
  await writer.ping()
})

afterEach(async () => {
  reading.close()
  await writer.close()
  rmSync(dataDir, { recursive: true })
})

const create = (id: string, name = 'Acme') =>
  writer.write(operationOf('organizations.create'), [sampleOrganization({ id, name }), sampleAudit()])

function countOrganizations(): unknown {
  return reading.prepare('select count(*) as count from organizations').get()?.count
}

describe('group commit', () => {
  test('writes that arrive together share commits', async () => {
    const before = countCommits(path)
    await Promise.all(Array.from({ length: 200 }, (_, index) => create(`org_${index}`)))
    const commits = countCommits(path) - before
    expect(commits).toBeGreaterThan(0)
    expect(commits).toBeLessThan(100)
    expect(countOrganizations()).toBe(200)
  })

  test('a failing write does not affect others', async () => {
    const results = await Promise.allSettled([
      create('org_1'),
      create('org_1'),
      writer.write(operationOf('users.create'), [sampleUser({ organizationId: 'org_1' }), sampleAudit()]),
      writer.write(operationOf('users.create'), [sampleUser({ organizationId: 'org_9' }), sampleAudit()]),
      create('org_2'),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[1]).toMatchObject({
      reason: { message: expect.stringContaining('UNIQUE constraint failed') },
    })
    expect(results.slice(2, 4)).toMatchObject([{ value: true }, { value: false }])
    expect(countOrganizations()).toBe(2)
  })

  test('arguments that cannot cross to the thread fail alone', async () => {
    const organization = { ...sampleOrganization(), ...{ extra: () => {} } }
    const bad = writer.write(operationOf('organizations.create'), [organization, sampleAudit()])
    await expect(bad).rejects.toThrow(/could not be cloned/)
    await create('org_1')
    expect(writer.pendingCount()).toBe(0)
    expect(countOrganizations()).toBe(1)
  })
})

describe('a writer that dies', () => {
  test('refuses the running calls, and another takes over', async () => {
    const results = await Promise.allSettled([create('org_1', 'die'), create('org_2')])
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable', status: 503 } })
    }
    expect(writer.pendingCount()).toBe(0)
    await expect
      .poll(() =>
        create('org_3').then(
          () => 'written',
          () => 'refused',
        ),
      )
      .toBe('written')
    expect(countOrganizations()).toBe(1)
  })

  test('is closed like any other', async () => {
    const dying = create('org_1', 'die')
    const closing = writer.close()
    await expect(dying).rejects.toMatchObject({ code: 'store_unavailable' })
    await closing
    await expect(create('org_2')).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})

/** In a write-ahead log the last page of each commit carries the size of the database; all others carry zero. */
function countCommits(databasePath: string): number {
  const log = readFileSync(`${databasePath}-wal`)
  if (log.length === 0) return 0
  const frameBytes = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (log.readUInt32BE(at + 4) !== 0) commits += 1
  }
  return commits
}
