import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { SpendingBooks } from './spending-books.ts'

const TODAY = '2026-03-14'
const TOMORROW = '2026-03-15'

/** A user with a limit of 2,000,000 micros that every replica knows, and nothing spent before. */
function scenario() {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table users (id text, organization_id text);
    create table text_usage (user_id text, day text, cost_micros integer);
    create table holds (id text, user_id text, day text, amount_micros integer, state text);
    create table ledger_entries (hold_id text, organization_id text, kind text, amount_micros integer, loss_micros integer);
    insert into users values ('usr_1', 'org_1');`)
  let nowMs = 0
  const books = new SpendingBooks({ of: 'user', database, nowMs: () => nowMs, replicas: 2 })
  books.limit('usr_1', 2_000_000)
  nowMs = 60_000
  books.check()
  return {
    books,
    pass: (ms: number) => {
      nowMs += ms
    },
    hold: (day: string, amount: number) =>
      database.prepare(`insert into holds values ('hold', 'usr_1', ?, ?, 'open')`).run(day, amount),
  }
}

test('spending on a day may reach the limit, but not exceed it', () => {
  const { books, hold } = scenario()
  hold(TODAY, 2_000_000)
  books.check()
  hold(TODAY, 1)
  expect(() => books.check()).toThrow(/daily-limit: usr_1 has spent 2000001 micros on 2026-03-14/)
})

test('a replica whose clock has jumped over midnight spends on the next day, which has its own limit', () => {
  const { books, hold } = scenario()
  hold(TODAY, 2_000_000)
  hold(TOMORROW, 2_000_000)
  books.check()
  hold(TOMORROW, 1)
  expect(() => books.check()).toThrow(/2000001 micros on 2026-03-15/)
})

test('a limit that falls below the spending of today is the limit of tomorrow', () => {
  const { books, hold, pass } = scenario()
  hold(TODAY, 1_500_000)
  books.limit('usr_1', 1_000_000)
  pass(60_000)
  books.check()
  hold(TOMORROW, 1_000_000)
  books.check()
  hold(TOMORROW, 1)
  expect(() => books.check()).toThrow(/1000001 micros on 2026-03-15/)
})
