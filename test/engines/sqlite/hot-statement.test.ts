import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hotStatement } from '../../../src/adapters/sql/hot-statement.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'

test('each call fills in its own arguments, wherever and however often they stand', async () => {
  const db = queryBuilder(new DatabaseSync(':memory:'))
  let builds = 0
  const ask = hotStatement<{ one: number; two: string | null }, object>(({ one, two }) => {
    builds += 1
    return sql`select ${two} as two, ${one} as one, ${one} + ${10} as more`
  })
  const first = await ask(db, { one: 1, two: 'a' })
  const second = await ask(db, { one: 2, two: null })
  expect(first.rows.map((row) => ({ ...row }))).toEqual([{ two: 'a', one: 1, more: 11 }])
  expect(second.rows.map((row) => ({ ...row }))).toEqual([{ two: null, one: 2, more: 12 }])
  expect(builds).toBe(1)
})

test.each<[string, (args: { amount: number }) => unknown]>([
  ['a sign', ({ amount }) => -amount],
  ['a sum', ({ amount }) => amount + 1],
  ['a comparison', ({ amount }) => (amount > 0 ? 1 : 0)],
  ['a text', ({ amount }) => `${amount}`],
])('a statement that reckons with an argument is refused: %s', async (_, reckon) => {
  const db = queryBuilder(new DatabaseSync(':memory:'))
  const ask = hotStatement<{ amount: number }>((args) => sql`select ${reckon(args)}`)
  await expect(async () => ask(db, { amount: 5 })).rejects.toThrow('amount stands for a value of each call')
})
