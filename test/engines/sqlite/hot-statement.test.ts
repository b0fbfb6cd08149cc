import { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { hotListStatement, hotStatement } from '../../../src/adapters/sql/hot-statement.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'

test('each call fills in its own arguments at each of their places', async () => {
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
])('a statement that computes with an argument is refused: %s', async (_, reckon) => {
  const db = queryBuilder(new DatabaseSync(':memory:'))
  const ask = hotStatement<{ amount: number }>((args) => sql`select ${reckon(args)}`)
  await expect(async () => ask(db, { amount: 5 })).rejects.toThrow('amount stands for a value of each call')
})

test('a list is filled in row by row, with one statement text for each length', async () => {
  const db = queryBuilder(new DatabaseSync(':memory:'))
  const lengths: number[] = []
  const ask = hotListStatement<string | number, object>(2, (rows) => {
    lengths.push(rows.length)
    const values = rows.map(([name, amount]) => sql`(${name}, ${amount})`)
    return sql`select column1 as name, column2 as amount from (values ${sql.join(values)})`
  })
  const first = await ask(db, ['a', 1, 'b', 2])
  const second = await ask(db, ['c', 3])
  const third = await ask(db, ['d', 4, 'e', 5])
  expect([first, second, third].map(({ rows }) => rows.map((row) => ({ ...row })))).toEqual([
    [
      { name: 'a', amount: 1 },
      { name: 'b', amount: 2 },
    ],
    [{ name: 'c', amount: 3 }],
    [
      { name: 'd', amount: 4 },
      { name: 'e', amount: 5 },
    ],
  ])
  expect(lengths).toEqual([2, 1])
})

test('each engine has its own context in the text of a list', async () => {
  const ask = hotListStatement<number, object, [RawBuilder<unknown>]>(
    1,
    (rows, ending) =>
      sql`select column1 as value from (values ${sql.join(rows.map(([value]) => sql`(${value})`))}) ${ending}`,
  )
  const one = queryBuilder(new DatabaseSync(':memory:'))
  const other = queryBuilder(new DatabaseSync(':memory:'))
  await ask(one, [1, 2], sql`order by 1`)
  const { rows } = await ask(other, [1, 2], sql`order by 1 desc`)
  expect(rows.map((row) => ({ ...row }))).toEqual([{ value: 2 }, { value: 1 }])
})
