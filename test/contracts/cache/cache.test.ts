import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CACHE_ENGINES, type CacheEngine } from './cache-engine.ts'

const LONG = { ttlMs: 60_000 }

describe.each(Object.entries(CACHE_ENGINES))('the cache on %s', (_name, openEngine) => {
  let engine: CacheEngine
  beforeAll(async () => {
    engine = await openEngine()
  })
  afterAll(() => engine.close())

  describe('values', () => {
    test('an unknown key has none', async () => {
      expect(await engine.cache.get(randomUUID())).toBeUndefined()
    })

    test('every replica reads what one has set', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'one', LONG)
      expect(await engine.replica.get(key)).toBe('one')
      await engine.replica.set(key, 'two', LONG)
      expect(await engine.cache.get(key)).toBe('two')
    })

    test.each(['', ' ', '\u0000', '"quoted"\r\n', 'größe 🌊', 'x'.repeat(100_000)])(
      '%j comes back as it went',
      async (value) => {
        const key = randomUUID()
        await engine.cache.set(key, value, LONG)
        expect(await engine.cache.get(key)).toBe(value)
      },
    )

    test('a key is used to the letter', async () => {
      await engine.cache.set('sluice:{org:1}:a b', 'here', LONG)
      expect(await engine.cache.get('sluice:{org:1}:a b')).toBe('here')
      expect(await engine.cache.get('sluice:{org:1}:A b')).toBeUndefined()
    })

    test('a deleted key is gone, and deleting it again is no fault', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'one', LONG)
      await engine.replica.delete(key)
      expect(await engine.cache.get(key)).toBeUndefined()
      await engine.cache.delete(key)
    })
  })

  describe('life spans', () => {
    test('a value goes when its time is over', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'short', { ttlMs: 50 })
      engine.passTime(50)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test('setting again begins a new life', async () => {
      const key = randomUUID()
      await engine.cache.set(key, 'long', LONG)
      await engine.cache.set(key, 'short', { ttlMs: 50 })
      engine.passTime(50)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test.each([0.4, 0, -5])('%d ms are over at once, and no fault', async (ttlMs) => {
      const key = randomUUID()
      await engine.cache.set(key, 'gone', { ttlMs })
      engine.passTime(1)
      await expect.poll(() => engine.cache.get(key)).toBeUndefined()
    })

    test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is not a time', async (ttlMs) => {
      await expect(engine.cache.set(randomUUID(), 'x', { ttlMs })).rejects.toThrow(RangeError)
      await expect(engine.cache.setIfAbsent(randomUUID(), 'x', { ttlMs })).rejects.toThrow(RangeError)
    })
  })

  describe('setting what is absent', () => {
    test('only the first of many at once is told it did', async () => {
      const key = randomUUID()
      const caches = [engine.cache, engine.replica, engine.cache, engine.replica]
      const told = await Promise.all(caches.map((cache, index) => cache.setIfAbsent(key, `${index}`, LONG)))
      expect(told.filter(Boolean)).toHaveLength(1)
      expect(await engine.cache.get(key)).toBe(String(told.indexOf(true)))
    })

    test('an expired or deleted value counts as absent', async () => {
      const key = randomUUID()
      expect(await engine.cache.setIfAbsent(key, 'one', { ttlMs: 50 })).toBe(true)
      engine.passTime(50)
      await expect.poll(() => engine.cache.setIfAbsent(key, 'two', LONG)).toBe(true)
      await engine.cache.delete(key)
      expect(await engine.cache.setIfAbsent(key, 'three', LONG)).toBe(true)
    })
  })

  describe('news', () => {
    test('reaches every subscriber of the topic on every replica, in order, and nobody else', async () => {
      const heard: string[][] = [[], [], []]
      const ends = await Promise.all([
        engine.cache.subscribe('news', (message) => heard[0]?.push(message)),
        engine.replica.subscribe('news', (message) => heard[1]?.push(message)),
        engine.cache.subscribe('other', (message) => heard[2]?.push(message)),
      ])
      await engine.cache.publish('news', 'one')
      await engine.cache.publish('news', 'two')
      await engine.cache.publish('other', 'last')
      await expect.poll(() => heard).toEqual([['one', 'two'], ['one', 'two'], ['last']])
      for (const end of ends) await end()
    })

    test('is not kept for later', async () => {
      const heard: string[] = []
      await engine.cache.publish('early', 'missed')
      const end = await engine.cache.subscribe('early', (message) => heard.push(message))
      await engine.cache.publish('early', 'heard')
      await expect.poll(() => heard).toEqual(['heard'])
      await end()
    })

    test('an ended subscription hears nothing more; others of the same topic do', async () => {
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

    test('a topic can be taken up again after its last subscription ended', async () => {
      const heard: string[] = []
      await (await engine.cache.subscribe('again', () => {}))()
      const end = await engine.cache.subscribe('again', (message) => heard.push(message))
      await engine.replica.publish('again', 'back')
      await expect.poll(() => heard).toEqual(['back'])
      await end()
    })

    test('a listener that throws harms neither the others nor the engine', async () => {
      const heard: string[] = []
      const endBad = await engine.cache.subscribe('bad', () => {
        throw new Error('a bad listener')
      })
      const endGood = await engine.cache.subscribe('bad', (message) => heard.push(message))
      await engine.cache.publish('bad', 'one')
      await engine.cache.publish('bad', 'two')
      await expect.poll(() => heard).toEqual(['one', 'two'])
      await engine.cache.ping()
      await endBad()
      await endGood()
    })
  })

  test('after closing every method rejects, and closing again is no fault', async () => {
    const { cache, close } = await openEngine()
    await cache.ping()
    await cache.close()
    await expect(cache.ping()).rejects.toThrow()
    await expect(cache.get('x')).rejects.toThrow()
    await expect(cache.set('x', 'y', LONG)).rejects.toThrow()
    await expect(cache.setIfAbsent('x', 'y', LONG)).rejects.toThrow()
    await expect(cache.delete('x')).rejects.toThrow()
    await expect(cache.publish('x', 'y')).rejects.toThrow()
    await expect(cache.subscribe('x', () => {})).rejects.toThrow()
    await cache.close()
    await close()
  })
})
