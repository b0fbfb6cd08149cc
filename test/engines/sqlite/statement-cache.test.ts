import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { statementCache } from '../../../src/adapters/sqlite/driver.ts'

test('a statement is prepared once while it is in use', () => {
  const prepare = statementCache(new DatabaseSync(':memory:'), { size: 2 })
  const first = prepare('select 1')
  prepare('select 2')
  expect(prepare('select 1')).toBe(first)
})

test('the least recently used statement is dropped', () => {
  const prepare = statementCache(new DatabaseSync(':memory:'), { size: 2 })
  const first = prepare('select 1')
  const second = prepare('select 2')
  prepare('select 1')
  prepare('select 3')
  expect(prepare('select 1')).toBe(first)
  expect(prepare('select 2')).not.toBe(second)
})

test('it knows which statements return rows', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table kept (value)')
  const prepare = statementCache(database, { size: 9 })
  expect(prepare('select value from kept').returnsRows).toBe(true)
  expect(prepare('insert into kept values (1) returning value').returnsRows).toBe(true)
  expect(prepare('insert into kept values (1)').returnsRows).toBe(false)
})
