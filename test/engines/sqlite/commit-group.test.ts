import type { DatabaseSync } from 'node:sqlite'
import { DatabaseSync as Database } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { commitGroup } from '../../../src/adapters/sqlite/commit-group.ts'
import type { StoreCall, StoreReply } from '../../../src/adapters/sqlite/messages.ts'
import { takeWriteLock } from '../../../src/adapters/sqlite/write-lock.ts'
import { ApiError } from '../../../src/domain/api-error.ts'

let database: DatabaseSync
beforeEach(() => {
  database = new Database(':memory:')
  database.exec(`
    create table kept (value text primary key);
    create table child (value text references kept (value) deferrable initially deferred);
  `)
})

/** Runs the given texts as one group; each is the SQL of one call. */
function commitTexts(texts: readonly string[]): Promise<StoreReply[]> {
  const waiting = texts.map((name, id): StoreCall => ({ id, name, args: [] }))
  takeWriteLock(database)
  return commitGroup({
    database,
    next: () => waiting.shift(),
    run,
    nowMs: () => 0,
    savepoints: { groupsLeft: 0 },
  })
}

async function run({ name }: StoreCall): Promise<string> {
  if (name === 'refuse') throw new ApiError('invalid_parameter', { param: 'name', message: 'too long' })
  database.exec(name)
  return 'done'
}

function kept(): unknown[] {
  return database
    .prepare('select value from kept order by value')
    .all()
    .map(({ value }) => value)
}

describe('a group of writes', () => {
  test('is answered in order and is durable as one', async () => {
    const replies = await commitTexts(["insert into kept values ('a')", "insert into kept values ('b')"])
    expect(replies).toEqual([
      { id: 0, result: 'done' },
      { id: 1, result: 'done' },
    ])
    expect(database.isTransaction).toBe(false)
    expect(kept()).toEqual(['a', 'b'])
  })

  test('loses only the call that failed, with everything that call had done', async () => {
    const replies = await commitTexts([
      "insert into kept values ('a')",
      "insert into kept values ('half'); insert into kept values ('a')",
      'refuse',
      "insert into kept values ('b')",
    ])
    expect(replies).toMatchObject([
      { result: 'done' },
      { failure: { kind: 'fault', message: expect.stringContaining('UNIQUE') } },
      { failure: { kind: 'api-error', code: 'invalid_parameter', param: 'name', message: 'too long' } },
      { result: 'done' },
    ])
    expect(kept()).toEqual(['a', 'b'])
  })

  test('runs the calls before a failed one again, and answers each with its last run', async () => {
    const waiting = ['a', 'b', 'refuse', 'c', 'refuse', 'd'].map(
      (name, id): StoreCall => ({ id, name, args: [] }),
    )
    const runs = new Map<number, number>()
    const counted = async ({ id, name }: StoreCall) => {
      runs.set(id, (runs.get(id) ?? 0) + 1)
      if (name === 'refuse') throw new ApiError('invalid_parameter', { param: 'name', message: 'too long' })
      database.prepare('insert into kept values (?)').run(name)
      return runs.get(id)
    }
    takeWriteLock(database)
    const replies = await commitGroup({
      database,
      next: () => waiting.shift(),
      run: counted,
      nowMs: () => 0,
      savepoints: { groupsLeft: 0 },
    })
    const refused = { failure: expect.objectContaining({ kind: 'api-error' }) }
    expect(replies).toEqual([
      { id: 0, result: 2 },
      { id: 1, result: 2 },
      { id: 2, ...refused },
      { id: 3, result: 1 },
      { id: 4, ...refused },
      { id: 5, result: 1 },
    ])
    expect(kept()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('runs each call once while none fails', async () => {
    const waiting = ['a', 'b', 'c'].map((name, id): StoreCall => ({ id, name, args: [] }))
    const ran: unknown[] = []
    takeWriteLock(database)
    await commitGroup({
      database,
      next: () => waiting.shift(),
      run: async ({ name }) => ran.push(name),
      nowMs: () => 0,
      savepoints: { groupsLeft: 0 },
    })
    expect(ran).toEqual(['a', 'b', 'c'])
  })

  test('runs no call twice in the 32 groups after a group with a failed call', async () => {
    const savepoints = { groupsLeft: 0 }
    const commitCounted = async () => {
      const waiting = ['a', 'refuse', 'b'].map((name, id): StoreCall => ({ id, name, args: [] }))
      const ran: unknown[] = []
      const counted = async ({ name }: StoreCall) => {
        ran.push(name)
        if (name === 'refuse') throw new ApiError('invalid_parameter', { param: 'name', message: 'too long' })
      }
      takeWriteLock(database)
      await commitGroup({ database, next: () => waiting.shift(), run: counted, nowMs: () => 0, savepoints })
      return ran
    }
    expect(await commitCounted()).toEqual(['a', 'refuse', 'a', 'refuse', 'b'])
    expect(savepoints).toEqual({ groupsLeft: 32 })
    expect(await commitCounted()).toEqual(['a', 'refuse', 'b'])
    savepoints.groupsLeft = 0
    expect(await commitCounted()).toEqual(['a', 'refuse', 'a', 'refuse', 'b'])
  })

  test('loses nothing when its first call failed', async () => {
    const replies = await commitTexts([
      "insert into kept values ('half'); insert into kept values ('half')",
      "insert into kept values ('a')",
    ])
    expect(replies).toMatchObject([
      { failure: { kind: 'fault', message: expect.stringContaining('UNIQUE') } },
      { result: 'done' },
    ])
    expect(database.isTransaction).toBe(false)
    expect(kept()).toEqual(['a'])
  })

  test('starts again whenever its first call fails, and commits nothing when no call is left', async () => {
    const double = "insert into kept values ('half'); insert into kept values ('half')"
    const replies = await commitTexts(['refuse', double, "insert into kept values ('a')", double])
    expect(replies).toMatchObject([
      { failure: { kind: 'api-error' } },
      { failure: { kind: 'fault' } },
      { result: 'done' },
      { failure: { kind: 'fault' } },
    ])
    expect(kept()).toEqual(['a'])
    expect(await commitTexts(['refuse'])).toMatchObject([{ failure: { kind: 'api-error' } }])
    expect(database.isTransaction).toBe(false)
  })

  test('keeps the answer of a first call that failed, also when the rest cannot be committed', async () => {
    const replies = await commitTexts(['refuse', "insert into child values ('of no parent')"])
    expect(replies).toMatchObject([
      { id: 0, failure: { kind: 'api-error' } },
      { id: 1, failure: { kind: 'unavailable' } },
    ])
    expect(kept()).toEqual([])
  })

  test('is refused whole when the commit fails', async () => {
    const replies = await commitTexts([
      "insert into kept values ('a')",
      "insert into child values ('of no parent')",
    ])
    expect(replies).toMatchObject([
      { id: 0, failure: { kind: 'unavailable' } },
      { id: 1, failure: { kind: 'unavailable' } },
    ])
    expect(database.isTransaction).toBe(false)
    expect(kept()).toEqual([])
  })

  test('is refused whole when the engine rolled back the transaction by itself', async () => {
    const replies = await commitTexts([
      "insert into kept values ('a')",
      "insert or rollback into kept values ('a')",
      "insert into kept values ('b')",
    ])
    expect(replies).toMatchObject([
      { failure: { kind: 'unavailable' } },
      { failure: { kind: 'unavailable' } },
    ])
    expect(kept()).toEqual([])
  })

  test('that a full disk cuts short keeps every confirmed write', async () => {
    database.exec('create table large (value blob); pragma max_page_count = 20')
    const replies = await commitTexts([
      "insert into kept values ('a')",
      'insert into large values (zeroblob(1000000))',
      "insert into kept values ('b')",
    ])
    const acknowledged = replies.flatMap((reply) => ('result' in reply ? [reply.id] : []))
    expect(replies[1]).toMatchObject({ failure: { kind: 'unavailable' } })
    expect(kept()).toEqual(
      [0, 2].filter((id) => acknowledged.includes(id)).map((id) => (id === 0 ? 'a' : 'b')),
    )
  })

  test.each([
    ['many calls', () => 0, 256],
    ['a few milliseconds', steps(), 5],
  ])('ends after %s, so that others get their turn', async (_what, nowMs, callCount) => {
    let started = 0
    const next = (): StoreCall => ({ id: started++, name: 'select 1', args: [] })
    takeWriteLock(database)
    const replies = await commitGroup({ database, next, run, nowMs, savepoints: { groupsLeft: 0 } })
    expect([replies.length, started]).toEqual([callCount, callCount])
  })
})

/** A clock that is a millisecond later each time it is asked. */
function steps(): () => number {
  let nowMs = 0
  return () => nowMs++
}
