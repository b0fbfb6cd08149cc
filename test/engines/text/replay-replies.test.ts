import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { DAY_MS, FIRST, LEASE_MS, openReplays, type Replays } from '../../text-replay/open-replays.ts'
import { CACHE_ENGINES, type CacheEngine } from '../cache/cache-engine.ts'

describe.each(Object.entries(CACHE_ENGINES))('an Idempotency-Key on %s', (_name, openEngine) => {
  let engine: CacheEngine
  let story: Replays
  beforeEach(async () => {
    engine = await openEngine()
    story = await openReplays(engine)
  })
  afterEach(async () => {
    await story.close()
    await engine.close()
  })

  test('the same request gets the first reply again, on any replica, and is not asked again', async () => {
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    await story.expectCharges(1)
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    expect(await story.ask(story.commandOf(), story.over(story.engine.replica))).toEqual([FIRST])
    expect(story.asked).toHaveLength(1)
    await story.expectCharges(1)
  })

  test('another replica waits for the usage row of a reply that is kept', async () => {
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    let pauses = 0
    story.pause = async () => {
      pauses += 1
      if (pauses === 3) await story.expectCharges(1)
    }
    expect(await story.ask(story.commandOf(), story.over(story.engine.replica))).toEqual([FIRST])
    expect(pauses).toBe(3)
    await story.expectCharges(1)
  })

  test('a kept reply whose process died before its usage row is not given away: in use, then asked again and charged once', async () => {
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    const other = story.over(story.engine.replica)
    await expect(story.ask(story.commandOf(), other)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    story.bank.clock.pass(LEASE_MS)
    expect(await story.ask(story.commandOf(), other)).toMatchObject([{ body: 'reply 2 ü' }])
    // The row of the first one, should it come after all, is left out.
    await story.expectCharges(1)
  })

  test('bytes are kept as the text they are', async () => {
    story.next = async (sink) => sink.begin({ status: 200, headers: {}, body: Buffer.from('{"emoji":"🌊"}') })
    await story.ask(story.commandOf())
    expect(await story.ask(story.commandOf())).toEqual([{ status: 200, headers: {}, body: '{"emoji":"🌊"}' }])
  })

  test.each<[string, Parameters<Replays['commandOf']>[0]]>([
    ['another body', { text: '{"model":"v/m","input":"ho"}' }],
    ['the same body at the other endpoint', { endpoint: 'messages' }],
  ])('%s is refused', async (_case, other) => {
    await story.ask(story.commandOf())
    await expect(story.ask(story.commandOf(other))).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect(story.asked).toHaveLength(1)
  })

  test.each<[string, Parameters<Replays['commandOf']>[0]]>([
    ['another key', { idempotencyKey: 'order 67' }],
    ['no key', { idempotencyKey: undefined }],
    ['the same key of another API key', { keyId: 'key_2' }],
  ])('%s is a request of its own', async (_case, other) => {
    await story.ask(story.commandOf())
    expect(await story.ask(story.commandOf(other))).toMatchObject([{ body: 'reply 2 ü' }])
    await story.expectCharges(2)
  })

  test('streams ignore it', async () => {
    const stream = story.commandOf({ text: '{"model":"v/m","input":"hi","stream":true}' })
    await story.ask(stream)
    await story.ask(stream)
    expect(story.asked).toHaveLength(2)
    expect(await story.ask(story.commandOf())).toMatchObject([{ body: 'reply 3 ü' }])
    await story.expectCharges(3)
  })

  test('a running one is in use; of many at once one reaches the vendor', async () => {
    const gate = story.holdNext()
    const answers = Array.from({ length: 10 }, () =>
      story.ask(story.commandOf()).catch(({ code }: ApiError) => code),
    )
    // Nine are refused while the one that was taken still waits.
    const refused: unknown[] = []
    for (const each of answers) void each.then((end) => refused.push(end))
    await expect.poll(() => refused).toEqual(Array(9).fill('idempotency_key_in_use'))
    gate.open()
    expect(await Promise.all(answers)).toContainEqual([FIRST])
    expect(story.asked).toHaveLength(1)
    await story.expectCharges(1)
  })

  test('an error frees the key, also for another body', async () => {
    story.next = () => Promise.reject(new ApiError('insufficient_balance'))
    await expect(story.ask(story.commandOf())).rejects.toMatchObject({ code: 'insufficient_balance' })
    story.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'now' })
    expect(await story.ask(story.otherBody())).toMatchObject([{ body: 'now' }])
    await story.expectCharges(1)
  })

  test('a reply of more than 1 MB is sent, and said to be gone afterwards', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1)
    story.next = async (sink) => sink.begin({ status: 200, headers: {}, body: large })
    expect((await story.ask(story.commandOf()))[0]?.body).toHaveLength(large.length)
    await story.expectCharges(1)
    await expect(story.ask(story.commandOf())).rejects.toMatchObject({ code: 'idempotency_reply_gone' })
    await story.expectCharges(1)
  })

  test('while the cache is unreachable every request is served and charged once, and one line says so', async () => {
    const away = () => Promise.reject(new Error('away'))
    const without = story.over({ ...story.engine.cache, set: away, get: away })
    expect(await story.ask(story.commandOf(), without)).toEqual([FIRST])
    await story.expectCharges(1)
    await expect(story.ask(story.commandOf(), without)).rejects.toMatchObject({
      code: 'idempotency_reply_gone',
    })
    expect(story.log.events).toEqual(['cache.replies_not_kept'])
    await story.expectCharges(1)
  })

  test('what is kept shows neither the reply nor the key, and is given for a day in a share of its organization', async () => {
    const kept: unknown[] = []
    const through = story.over({
      ...story.engine.cache,
      set: async (key, value, life) => void kept.push({ key, value, life }),
    })
    story.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'canary' })
    await story.ask(story.commandOf({ idempotencyKey: 'canary' }), through)
    const share = { name: `sluice:{org:${story.organizationId}}:replies`, bytesMax: 16 * 1024 * 1024 }
    expect(kept).toMatchObject([{ life: { ttlMs: DAY_MS, share } }])
    expect(JSON.stringify(kept)).not.toMatch(/canary/)
  })
})
