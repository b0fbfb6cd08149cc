import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { DAY_MS, FIRST, LEASE_MS, openReplays, type Replays } from '../../text-replay/open-replays.ts'
import { CACHE_ENGINES, type CacheEngine } from '../cache/cache-engine.ts'

describe.each(Object.entries(CACHE_ENGINES))('an Idempotency-Key on %s', (_name, openEngine) => {
  let engine: CacheEngine
  let scenario: Replays
  beforeEach(async () => {
    engine = await openEngine()
    scenario = await openReplays(engine)
  })
  afterEach(async () => {
    await scenario.close()
    await engine.close()
  })

  test('the same request gets the first reply again, on any replica, without a vendor call', async () => {
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    await scenario.expectCharges(1)
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    expect(await scenario.ask(scenario.commandOf(), scenario.over(scenario.engine.replica))).toEqual([FIRST])
    expect(scenario.asked).toHaveLength(1)
    await scenario.expectCharges(1)
  })

  test('another replica waits for the usage row of a reply that is kept', async () => {
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    let pauses = 0
    scenario.pause = async () => {
      pauses += 1
      if (pauses === 3) await scenario.expectCharges(1)
    }
    expect(await scenario.ask(scenario.commandOf(), scenario.over(scenario.engine.replica))).toEqual([FIRST])
    expect(pauses).toBe(3)
    await scenario.expectCharges(1)
  })

  test('a kept reply whose process died before its usage row is not sent: the key is in use, then the vendor is called again, and one row is charged', async () => {
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    const other = scenario.over(scenario.engine.replica)
    await expect(scenario.ask(scenario.commandOf(), other)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    scenario.bank.clock.pass(LEASE_MS)
    expect(await scenario.ask(scenario.commandOf(), other)).toMatchObject([{ body: 'reply 2 ü' }])
    // The row of the first request is left out, even if it comes later.
    await scenario.expectCharges(1)
  })

  test('a reply that is sent late is kept when it is announced', async () => {
    const sent = Promise.withResolvers<void>()
    scenario.next = async (sink) => {
      const head = { ...FIRST, headers: { ...FIRST.headers } }
      sink.willBegin?.(head)
      await sent.promise
      sink.begin(head)
    }
    const kept: string[] = []
    const through = scenario.over({ ...scenario.engine.cache, set: async (key) => void kept.push(key) })
    const asking = scenario.ask(scenario.commandOf(), through)
    await expect.poll(() => kept).toHaveLength(1)
    sent.resolve()
    expect(await asking).toEqual([FIRST])
    expect(kept).toHaveLength(1)
    await scenario.expectCharges(1)
  })

  test('bytes are stored as text', async () => {
    scenario.next = async (sink) =>
      sink.begin({ status: 200, headers: {}, body: Buffer.from('{"emoji":"🌊"}') })
    await scenario.ask(scenario.commandOf())
    expect(await scenario.ask(scenario.commandOf())).toEqual([
      { status: 200, headers: {}, body: '{"emoji":"🌊"}' },
    ])
  })

  test.each<[string, Parameters<Replays['commandOf']>[0]]>([
    ['another body', { text: '{"model":"v/m","input":"ho"}' }],
    ['the same body at the other endpoint', { endpoint: 'messages' }],
  ])('%s is refused', async (_case, other) => {
    await scenario.ask(scenario.commandOf())
    await expect(scenario.ask(scenario.commandOf(other))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    expect(scenario.asked).toHaveLength(1)
  })

  test.each<[string, Parameters<Replays['commandOf']>[0]]>([
    ['another key', { idempotencyKey: 'order 67' }],
    ['no key', { idempotencyKey: undefined }],
    ['the same key of another API key', { keyId: 'key_2' }],
  ])('%s makes a separate request', async (_case, other) => {
    await scenario.ask(scenario.commandOf())
    expect(await scenario.ask(scenario.commandOf(other))).toMatchObject([{ body: 'reply 2 ü' }])
    await scenario.expectCharges(2)
  })

  test('streams ignore it', async () => {
    const stream = scenario.commandOf({ text: '{"model":"v/m","input":"hi","stream":true}' })
    await scenario.ask(stream)
    await scenario.ask(stream)
    expect(scenario.asked).toHaveLength(2)
    expect(await scenario.ask(scenario.commandOf())).toMatchObject([{ body: 'reply 3 ü' }])
    await scenario.expectCharges(3)
  })

  test('a running request keeps its key in use; of ten at the same time, one reaches the vendor', async () => {
    const gate = scenario.holdNext()
    const answers = Array.from({ length: 10 }, () =>
      scenario.ask(scenario.commandOf()).catch(({ code }: ApiError) => code),
    )
    // Nine are refused while the request that was accepted still waits.
    const refused: unknown[] = []
    for (const each of answers) void each.then((end) => refused.push(end))
    await expect.poll(() => refused).toEqual(Array(9).fill('idempotency_key_in_use'))
    gate.open()
    expect(await Promise.all(answers)).toContainEqual([FIRST])
    expect(scenario.asked).toHaveLength(1)
    await scenario.expectCharges(1)
  })

  test('an error frees the key, also for another body', async () => {
    scenario.next = () => Promise.reject(new ApiError('insufficient_balance'))
    await expect(scenario.ask(scenario.commandOf())).rejects.toMatchObject({ code: 'insufficient_balance' })
    scenario.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'now' })
    expect(await scenario.ask(scenario.otherBody())).toMatchObject([{ body: 'now' }])
    await scenario.expectCharges(1)
  })

  test('a reply of more than 1 MiB is sent, and reported as lost afterwards', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1)
    scenario.next = async (sink) => sink.begin({ status: 200, headers: {}, body: large })
    expect((await scenario.ask(scenario.commandOf()))[0]?.body).toHaveLength(large.length)
    await scenario.expectCharges(1)
    await expect(scenario.ask(scenario.commandOf())).rejects.toMatchObject({ code: 'idempotency_reply_gone' })
    await scenario.expectCharges(1)
  })

  test('a large reply is kept in a turn of its organization, and a repeated request waits for that', async () => {
    const large = 'x'.repeat(100_000)
    const first = { status: 200, headers: {}, body: large }
    scenario.next = async (sink) => sink.begin(first)
    const gate = Promise.withResolvers<void>()
    const set = scenario.engine.cache.set.bind(scenario.engine.cache)
    const late = scenario.over({
      ...scenario.engine.cache,
      async set(...given) {
        await gate.promise
        return set(...given)
      },
    })
    const asking = scenario.ask(scenario.commandOf(), late)
    await expect.poll(() => scenario.taken).toEqual([scenario.organizationId])
    expect(scenario.asked).toHaveLength(1)
    await scenario.expectCharges(1)
    let pauses = 0
    scenario.pause = async () => {
      pauses += 1
      if (pauses < 3) return
      gate.resolve()
      await asking
    }
    expect(await scenario.ask(scenario.commandOf(), late)).toMatchObject([{ status: 200, body: large }])
    expect(pauses).toBe(3)
    expect(await asking).toMatchObject([{ status: 200, body: large }])
    await scenario.expectCharges(1)
  })

  test('while the cache is unreachable every request is served and charged once, and one line is logged', async () => {
    const away = () => Promise.reject(new Error('away'))
    const without = scenario.over({ ...scenario.engine.cache, set: away, get: away })
    expect(await scenario.ask(scenario.commandOf(), without)).toEqual([FIRST])
    await scenario.expectCharges(1)
    await expect(scenario.ask(scenario.commandOf(), without)).rejects.toMatchObject({
      code: 'idempotency_reply_gone',
    })
    expect(scenario.log.events).toEqual(['cache.replies_not_kept'])
    await scenario.expectCharges(1)
  })

  test('the kept value reveals neither the reply nor the key, and stays for a day in the share of its organization', async () => {
    const kept: unknown[] = []
    const through = scenario.over({
      ...scenario.engine.cache,
      set: async (key, value, life) => void kept.push({ key, value, life }),
    })
    scenario.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'canary' })
    await scenario.ask(scenario.commandOf({ idempotencyKey: 'canary' }), through)
    const share = { name: `sluice:{org:${scenario.organizationId}}:replies`, bytesMax: 16 * 1024 * 1024 }
    expect(kept).toMatchObject([{ life: { ttlMs: DAY_MS, share } }])
    expect(JSON.stringify(kept)).not.toMatch(/canary/)
  })
})
