import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import { sampleAudit, sampleOrganization } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { startStoreProgram } from './store-program.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

let parent: string
let dataDir: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'sluice-claim-'))
  dataDir = join(parent, 'deep', 'data')
})
afterEach(() => rmSync(parent, { recursive: true }))

const open = (role: 'server' | 'beside') => openSqliteStore({ dataDir, role, log: SILENT_LOG })

describe('a data folder', () => {
  test('is made for its owner alone', async () => {
    const store = await open('server')
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    for (const name of ['sluice.db', 'sluice.db-wal', 'sluice.lock']) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
    }
    await store.close()
  })

  test('has one server: a second one is refused with the folder and a fix, and changes nothing', async () => {
    const server = startStoreProgram('sqlite', dataDir, 'hold')
    await server.said(1)
    await expect(open('server')).rejects.toThrow(
      `Another Sluice server is running on DATA_DIR ${dataDir}. Stop that one first`,
    )
    const second = startStoreProgram('sqlite', dataDir, 'hold')
    expect(await second.exitCode()).toBe(1)
    expect(second.errors()).toContain(dataDir)
    await server.kill()
  })

  test('is free again after kill -9', async () => {
    const server = startStoreProgram('sqlite', dataDir, 'write', 'org')
    await server.said(5)
    await server.kill()
    const next = await open('server')
    expect((await next.organizations.list()).length).toBeGreaterThanOrEqual(4)
    await next.close()
  })

  test('is free again after a close, and a refused start keeps nothing', async () => {
    const first = await open('server')
    await expect(open('server')).rejects.toThrow(/Another Sluice server/)
    await first.close()
    const second = await open('server')
    await second.close()
  })

  test('serves the command line beside a server under load', async () => {
    const server = startStoreProgram('sqlite', dataDir, 'write', 'org')
    await server.said(50)
    const beside = await open('beside')
    for (let number = 0; number < 20; number += 1) {
      const id = `beside_${number}`
      await beside.organizations.create(sampleOrganization({ id }), sampleAudit())
      expect((await beside.organizations.find(id))?.id).toBe(id)
    }
    await beside.close()
    const written = server.lines.length
    await server.said(written + 50)
    await server.kill()
    expect(server.errors()).toBe('')
  })
})
