import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { recentItems } from '../../../src/app/text/vendor-state/recent-items.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import { openAtOnce } from '../../kept-replies/open-at-once.ts'
import { CACHE_ENGINES, type CacheEngine } from '../cache/cache-engine.ts'
import { createLogBook } from '../cache/log-book.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const OWNER = { keyId: 'key_1', organizationId: 'org_1' }
const MESSAGE = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'canary 🌊' }] }
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' }

describe.each(Object.entries(CACHE_ENGINES))('items of replies on %s', (_name, openEngine) => {
  let engine: CacheEngine
  beforeEach(async () => {
    engine = await openEngine()
  })
  afterEach(() => engine.close())
  const over = (cache: Cache, log = createLogBook()) =>
    recentItems({ cache, secrets, opener: openAtOnce(secrets), log })

  test('are found by their ids on any replica, by the same API key only', async () => {
    over(engine.cache).keep(OWNER, [MESSAGE, CALL])
    const ids = ['fc_1', 'msg_1', 'msg_1', 'msg_2']
    expect(await over(engine.cache).find(OWNER, ids)).toEqual(
      new Map<string, object>([
        ['fc_1', CALL],
        ['msg_1', MESSAGE],
      ]),
    )
    expect(await over(engine.replica).find(OWNER, ['msg_1'])).toEqual(new Map([['msg_1', MESSAGE]]))
    expect(await over(engine.cache).find({ ...OWNER, keyId: 'key_2' }, ids)).toEqual(new Map())
  })

  test('are kept up to 256 KiB each', async () => {
    const padding = JSON.stringify({ id: 'msg_a', text: '' }).length
    const fits = { id: 'msg_a', text: 'x'.repeat(256 * 1024 - padding) }
    const items = over(engine.cache)
    items.keep(OWNER, [fits, { id: 'msg_b', text: `${fits.text}x` }, { text: 'no id' }, CALL])
    const found = await items.find(OWNER, ['msg_a', 'msg_b', 'fc_1'])
    expect([...found.keys()].toSorted()).toEqual(['fc_1', 'msg_a'])
  })

  test('are read up to 1 MiB in one call; further items count as unknown', async () => {
    const kept = new Map<string, string>()
    const items = over({
      ...engine.cache,
      set: async (key, value) => void kept.set(key, value),
      get: async (key) => kept.get(key),
    })
    const ids = Array.from({ length: 8 }, (_, number) => `msg_${number}`)
    items.keep(
      OWNER,
      ids.map((id) => ({ id, text: 'x'.repeat(200_000) })),
    )
    for (const id of ids) expect((await items.find(OWNER, [id])).size).toBe(1)
    const { size } = await items.find(OWNER, ids)
    expect(size).toBeGreaterThan(2)
    expect(size).toBeLessThan(6)
  })

  test('of one organization never evict those of another', async () => {
    const items = over(engine.cache)
    items.keep(OWNER, [MESSAGE])
    const loud = { keyId: 'key_9', organizationId: 'org_9' }
    const ids = Array.from({ length: 60 }, (_, number) => `msg_${number}`)
    for (const id of ids) {
      items.keep(loud, [{ id, text: 'x'.repeat(200_000) }])
      expect((await items.find(loud, [id])).size).toBe(1)
    }
    const still = await Promise.all(ids.map((id) => items.find(loud, [id])))
    expect(still.filter(({ size }) => size === 1).length).toBeLessThan(45)
    expect(await items.find(OWNER, ['msg_1'])).toEqual(new Map([['msg_1', MESSAGE]]))
  })

  test('are kept for an hour, unreadable in the cache', async () => {
    const kept: { key: string; value: string; ttlMs: number }[] = []
    const items = over({
      ...engine.cache,
      async set(key, value, { ttlMs }) {
        kept.push({ key, value, ttlMs })
      },
    })
    items.keep(OWNER, [MESSAGE])
    expect(kept).toMatchObject([{ ttlMs: 3_600_000 }])
    expect(JSON.stringify(kept)).not.toMatch(/canary|msg_1/)
  })

  test('while the cache is unreachable none is found, and one line is logged', async () => {
    const away = () => Promise.reject(new Error('away'))
    const log = createLogBook()
    const items = over({ ...engine.cache, get: away, set: away }, log)
    items.keep(OWNER, [MESSAGE, CALL])
    expect(await items.find(OWNER, ['msg_1'])).toEqual(new Map())
    expect(log.events).toEqual(['cache.items_not_kept'])
  })
})
