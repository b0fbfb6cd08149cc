import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CacheEngine } from './cache-engine.ts'

/**
 * Contract of every engine of the cache. `isNewsOrdered` is false for a cluster: its servers relay messages among
 * themselves, so that a message can be late or overtake another.
 */
export function describeCache(
  openEngine: () => Promise<CacheEngine>,
  { isNewsOrdered = true }: { isNewsOrdered?: boolean } = {},
): void {
  const inOrder = (received: readonly string[]) => (isNewsOrdered ? received : received.toSorted())
  let engine: CacheEngine
  beforeAll(async () => {
    engine = await openEngine()
  })
  afterAll(() => engine.close())

  describe('values', () => {
    test('an unknown key has none', async () => {
      expect(await engine.cache.get(randomUUID())).toBeUndefined()
    })

    test('every replica reads what another has set', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'one', LONG)
      expect(await engine.replica.get(key)).toBe('one')
      await engine.replica.set(key, 'two', LONG)
      expect(await engine.cache.get(key)).toBe('two')
    })

    test.each(['', ' ', '\u0000', '"quoted"\r\n', 'größe 🌊', 'x'.repeat(100_000)])(
      '%j is restored unchanged',
      async (value) => {
        const key = randomUUID()
        await engine.cache.set(key, value, LONG)
        expect(await engine.cache.get(key)).toBe(value)
      },
    )

    test('a key is used literally', async () => {
      await engine.cache.set('sluice:{org:1}:a b', 'here', LONG)
      expect(await engine.cache.get('sluice:{org:1}:a b')).toBe('here')
      expect(await engine.cache.get('sluice:{org:1}:A b')).toBeUndefined()
    })

    test('a deleted key is gone, and a second delete is no error', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'one', LONG)
      await engine.replica.delete(key)
      expect(await engine.cache.get(key)).toBeUndefined()
      await engine.cache.delete(key)
    })
  })

  describe('life spans', () => {
    test('a value expires', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'short', { ttlMs: 50 })
      engine.passTime(50)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test('setting again begins a new life span', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'long', LONG)
      await engine.cache.set(key, 'short', { ttlMs: 50 })
      engine.passTime(50)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test.each([0.4, 0, -5])('%d ms expire immediately, without an error', async (ttlMs) => {
      const key = randomUUID()
      await engine.cache.set(key, 'gone', { ttlMs })
      engine.passTime(1)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is not a time', async (ttlMs) => {
      await expect(engine.cache.set(randomUUID(), 'x', { ttlMs })).rejects.toThrow(RangeError)
    })
  })

  describe('shares', () => {
    /** A value that takes up between a twentieth and a tenth of its share, whichever engine counts. */
    const value = 'v'.repeat(10_000)
    const lifeIn = (name: string) => ({ ttlMs: 60_000, share: { name, bytesMax: 200_000 } })
    const keysOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, number) => `${name}:${number}`)
    const found = async (keys: string[]) => {
      const values = await Promise.all(keys.map((key) => engine.replica.get(key)))
      return keys.filter((_, index) => values[index] !== undefined)
    }
    const nameOf = () => `sluice:{org:${randomUUID()}}:replies`

    test('values of one share never evict those of another', async () => {
      const [quiet, loud] = [nameOf(), nameOf()]
      await engine.cache.set(`${quiet}:0`, value, lifeIn(quiet))
      for (const key of keysOf(loud, 200)) await engine.cache.set(key, value, lifeIn(loud))
      expect(await engine.cache.get(`${quiet}:0`)).toBe(value)
    })

    test('a share stays within its limit over all replicas: its oldest values are evicted', async () => {
      const name = nameOf()
      const keys = keysOf(name, 60)
      for (const [turn, key] of keys.entries()) {
        const { set } = turn % 2 === 0 ? engine.cache : engine.replica
        await set(key, value, { ...lifeIn(name), ttlMs: 60_000 + turn })
      }
      const kept = await found(keys)
      expect(kept.length).toBeGreaterThanOrEqual(9)
      expect(kept.length).toBeLessThanOrEqual(20)
      expect(kept).toEqual(keys.slice(-kept.length))
    })

    test('a value that is set again counts once, with its new size', async () => {
      const name = nameOf()
      const [first = '', ...others] = keysOf(name, 6)
      for (let turn = 0; turn < 50; turn += 1) await engine.cache.set(first, value, lifeIn(name))
      await engine.cache.set(first, 'small', lifeIn(name))
      for (const key of others) await engine.cache.set(key, value, lifeIn(name))
      expect(await found([first, ...others])).toEqual([first, ...others])
      expect(await engine.cache.get(first)).toBe('small')
    })

    test('an expired value frees its room', async () => {
      const name = nameOf()
      const [first = '', ...others] = keysOf(name, 9)
      await engine.cache.set(first, value, lifeIn(name))
      for (let turn = 0; turn < 30; turn += 1) {
        await engine.cache.set(`${name}:short ${turn}`, value, { ...lifeIn(name), ttlMs: 1 })
        engine.passTime(1)
        await expect.poll(() => engine.cache.get(`${name}:short ${turn}`)).toBeUndefined()
      }
      for (const key of others.slice(0, 7)) await engine.cache.set(key, value, lifeIn(name))
      expect(await found([first])).toEqual([first])
    })

    test('a share is deleted with all its values and its counter, and no other value', async () => {
      const [gone, other] = [nameOf(), nameOf()]
      const keys = keysOf(gone, 9)
      for (const key of [...keys, `${other}:0`])
        await engine.cache.set(key, value, lifeIn(key.startsWith(gone) ? gone : other))
      await engine.replica.deleteShare(gone)
      await engine.replica.deleteShare(nameOf())
      expect(await found([...keys, `${other}:0`])).toEqual([`${other}:0`])
      for (const key of keys) await engine.cache.set(key, value, lifeIn(gone))
      expect(await found(keys)).toEqual(keys)
    })

    test('a value that is larger than its share is not kept, and evicts nothing', async () => {
      const name = nameOf()
      await engine.cache.set(`${name}:0`, value, lifeIn(name))
      await engine.cache.set(`${name}:1`, 'old', lifeIn(name))
      await engine.cache.set(`${name}:1`, 'v'.repeat(200_001), lifeIn(name))
      expect(await found(keysOf(name, 2))).toEqual([`${name}:0`])
    })
  })

  describe('news', () => {
    test('reaches every subscriber of the topic on every replica, in order, and no other subscriber', async () => {
      const received: string[][] = [[], [], []]
      const ends = await Promise.all([
        engine.cache.subscribe('news', (message) => received[0]?.push(message)),
        engine.replica.subscribe('news', (message) => received[1]?.push(message)),
        engine.cache.subscribe('other', (message) => received[2]?.push(message)),
      ])
      await engine.cache.publish('news', 'one')
      await engine.cache.publish('news', 'two')
      await engine.cache.publish('other', 'last')
      await expect.poll(() => received.map(inOrder)).toEqual([['one', 'two'], ['one', 'two'], ['last']])
      for (const end of ends) await end()
    })

    test('is not kept for later', async () => {
      const received: string[] = []
      await engine.cache.publish('early', 'missed')
      const end = await engine.cache.subscribe('early', (message) => received.push(message))
      await engine.cache.publish('early', 'heard')
      await expect.poll(() => received).toEqual(isNewsOrdered ? ['heard'] : expect.arrayContaining(['heard']))
      await end()
    })

    test('an ended subscription gets nothing more; others of the topic do', async () => {
      const ended: string[] = []
      const going: string[] = []
      const end = await engine.cache.subscribe('parting', (message) => ended.push(message))
      const endOther = await engine.cache.subscribe('parting', (message) => going.push(message))
      await end()
      await end()
      await engine.cache.publish('parting', 'after')
      await expect.poll(() => going).toEqual(['after'])
      expect(ended).toEqual([])
      await endOther()
    })

    test('a topic can be subscribed again after its last subscription ended', async () => {
      const received: string[] = []
      await (await engine.cache.subscribe('again', () => {}))()
      const end = await engine.cache.subscribe('again', (message) => received.push(message))
      await engine.replica.publish('again', 'back')
      await expect.poll(() => received).toEqual(['back'])
      await end()
    })

    test('a listener that throws harms neither the others nor the engine', async () => {
      const received: string[] = []
      const endBad = await engine.cache.subscribe('bad', () => {
        throw new Error('a bad listener')
      })
      const endGood = await engine.cache.subscribe('bad', (message) => received.push(message))
      await engine.cache.publish('bad', 'one')
      await engine.cache.publish('bad', 'two')
      await expect.poll(() => inOrder(received)).toEqual(['one', 'two'])
      await engine.cache.ping()
      await endBad()
      await endGood()
    })
  })

  test('after the close every method rejects, and a second close is no error', async () => {
    const { cache, close } = await openEngine()
    await cache.ping()
    await cache.close()
    await expect(cache.ping()).rejects.toThrow()
    await expect(cache.get('x')).rejects.toThrow()
    await expect(cache.set('x', 'y', LONG)).rejects.toThrow()
    await expect(cache.delete('x')).rejects.toThrow()
    await expect(cache.publish('x', 'y')).rejects.toThrow()
    await expect(cache.subscribe('x', () => {})).rejects.toThrow()
    await cache.close()
    await close()
  })
}

const LONG = { ttlMs: 60_000 }
