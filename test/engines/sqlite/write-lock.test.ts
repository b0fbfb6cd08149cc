import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openForWriting } from '../../../src/adapters/sqlite/connection.ts'
import { presentFailure } from '../../../src/adapters/sqlite/sent-error.ts'
import { takeWriteLock } from '../../../src/adapters/sqlite/write-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a lock that another connection keeps ends as an unreachable store', () => {
  const path = join(folder, 'sluice.db')
  const operator = openForWriting(path)
  const database = new DatabaseSync(path, { timeout: 0 })
  operator.exec('begin immediate')
  expect(failureOf(() => takeWriteLock(database, { timeoutMs: 20 }))).toMatchObject({
    code: 'store_unavailable',
  })
  operator.exec('commit')
  takeWriteLock(database, { timeoutMs: 20 })
  expect(database.isTransaction).toBe(true)
  operator.close()
  database.close()
})

test('a connection within a transaction fails without a wait', () => {
  const path = join(folder, 'sluice.db')
  openForWriting(path).close()
  const database = new DatabaseSync(path)
  database.exec('begin')
  expect(() => takeWriteLock(database)).toThrow(/within a transaction/)
  database.close()
})

function failureOf(act: () => void): unknown {
  try {
    act()
  } catch (error) {
    return presentFailure(error)
  }
  return undefined
}
