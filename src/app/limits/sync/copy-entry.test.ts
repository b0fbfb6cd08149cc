import { expect, test } from 'vitest'
import { copyEntry } from './copy-entry.ts'

/** A store whose row the test changes, and a cache that two syncs share. */
function setup() {
  let row: { balance: number } | undefined
  let entry: string | undefined
  let writes = 0
  const cache = {
    set: async (_key: string, value: string) => {
      writes += 1
      entry = value
    },
    delete: async () => {
      writes += 1
      entry = undefined
    },
  }
  return {
    set: (balance: number | undefined) => {
      row = balance === undefined ? undefined : { balance }
    },
    entry: () => entry,
    writes: () => writes,
    sync: (after: (row: object | undefined) => Promise<object | undefined> = async (read) => read) =>
      copyEntry({ cache, key: 'k', read: () => after(row) }),
  }
}

test('a stored row is written once, and the entry of a missing row is removed', async () => {
  const { set, sync, entry, writes } = setup()
  set(1)
  await sync()
  expect(entry()).toBe('{"balance":1}')
  expect(writes()).toBe(1)
  set(undefined)
  await sync()
  expect(entry()).toBeUndefined()
})

test.each([2, undefined])(
  'of two simultaneous copies, the copy of the newer row stays in the cache: %s',
  async (newer) => {
    const { set, sync, entry } = setup()
    const late = Promise.withResolvers<void>()
    let readings = 0
    set(1)
    const slow = sync(async (row) => {
      readings += 1
      if (readings === 1) await late.promise
      return row
    })
    set(newer)
    await sync()
    late.resolve()
    await slow
    expect(entry()).toBe(newer === undefined ? undefined : `{"balance":${newer}}`)
  },
)

test('a row that changes all the time is written five times', async () => {
  const { sync, writes, entry } = setup()
  let balance = 0
  await sync(async () => {
    balance += 1
    return { balance }
  })
  expect(writes()).toBe(5)
  expect(entry()).toBe('{"balance":5}')
})
