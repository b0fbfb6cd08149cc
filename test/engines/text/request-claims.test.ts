import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import {
  DAY_MS,
  FIRST,
  LEASE_MS,
  openReplays,
  openSink,
  type Replays,
} from '../../text-replay/open-replays.ts'
import { CACHE_ENGINES, type CacheEngine } from '../cache/cache-engine.ts'

describe.each(Object.entries(CACHE_ENGINES))('the claim on an Idempotency-Key on %s', (_name, openEngine) => {
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

  test('when the reply is gone the answer reports that for a day, and nothing more is charged', async () => {
    const forgetful = scenario.over({ ...scenario.engine.cache, set: async () => {} })
    expect(await scenario.ask(scenario.commandOf(), forgetful)).toEqual([FIRST])
    await scenario.expectCharges(1)
    for (const through of [forgetful, scenario.over(scenario.engine.replica)]) {
      await expect(scenario.ask(scenario.commandOf(), through)).rejects.toMatchObject({
        code: 'idempotency_reply_gone',
      })
      await expect(scenario.ask(scenario.otherBody(), through)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
    }
    expect(scenario.asked).toHaveLength(1)
    await scenario.expectCharges(1)
    scenario.bank.clock.pass(DAY_MS)
    await scenario.replica.allowances.keep()
    expect(await scenario.ask(scenario.commandOf(), forgetful)).toMatchObject([{ body: 'reply 2 ü' }])
  })

  test('a request whose process is gone frees its key when the lease runs out, and is charged once', async () => {
    scenario.next = () => new Promise(() => {})
    void scenario.ask(scenario.commandOf())
    await expect.poll(() => scenario.asked.length).toBe(1)
    scenario.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'again' })
    const other = scenario.over(scenario.engine.replica)
    scenario.bank.clock.pass(LEASE_MS - 1)
    await expect(scenario.ask(scenario.commandOf(), other)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    scenario.bank.clock.pass(1)
    expect(await scenario.ask(scenario.commandOf(), other)).toMatchObject([{ body: 'again' }])
    expect(await scenario.ask(scenario.commandOf(), other)).toMatchObject([{ body: 'again' }])
    expect(scenario.asked).toHaveLength(2)
    await scenario.expectCharges(1)
  })

  test('a renewed request keeps its key beyond its first lease, and its own process never frees the key early', async () => {
    const claims = scenario.claimsOf()
    const gate = scenario.holdNext()
    const own = scenario.over(scenario.engine.cache, claims)
    const running = scenario.ask(scenario.commandOf(), own)
    await expect.poll(() => scenario.asked.length).toBe(1)
    scenario.bank.clock.pass(LEASE_MS - 1)
    await claims.renew()
    scenario.bank.clock.pass(LEASE_MS - 1)
    await expect(
      scenario.ask(scenario.commandOf(), scenario.over(scenario.engine.replica)),
    ).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    scenario.bank.clock.pass(10 * LEASE_MS)
    await expect(scenario.ask(scenario.commandOf(), own)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    await expect(scenario.ask(scenario.otherBody(), own)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    gate.open()
    expect(await running).toEqual([FIRST])
    expect(scenario.asked).toHaveLength(1)
  })

  test('when two requests run for one key, only the holder of the key is charged', async () => {
    const reply = scenario.next
    const gate = scenario.holdNext()
    const late = scenario.ask(scenario.commandOf())
    await expect.poll(() => scenario.asked.length).toBe(1)
    scenario.bank.clock.pass(LEASE_MS)
    scenario.next = reply
    await scenario.ask(scenario.otherBody(), scenario.over(scenario.engine.replica))
    gate.open()
    await late
    await scenario.expectCharges(1)
    // The request that has the key does not get the reply to the request that lost the key.
    expect(await scenario.ask(scenario.otherBody(), scenario.over(scenario.engine.replica))).toMatchObject([
      { body: 'reply 2 ü' },
    ])
    await expect(
      scenario.ask(scenario.commandOf(), scenario.over(scenario.engine.replica)),
    ).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    await scenario.expectCharges(1)
  })

  test('while the store is unreachable no vendor is called; a claim with a lost answer is returned', async () => {
    const { requestClaims } = scenario.bank.store
    const away = new ApiError('store_unavailable')
    const unanswered = scenario.claimsOf({
      ...requestClaims,
      claim: async (claim) => {
        await requestClaims.claim(claim)
        throw away
      },
    })
    await expect(
      scenario.ask(scenario.commandOf(), scenario.over(scenario.engine.cache, unanswered)),
    ).rejects.toBe(away)
    expect(scenario.asked).toHaveLength(0)
    await expect
      .poll(() => scenario.ask(scenario.commandOf()).catch(({ code }: ApiError) => code))
      .toEqual([FIRST])
    await scenario.expectCharges(1)
  })

  test('a client that hung up finds its reply when it returns', async () => {
    const gate = scenario.holdNext()
    const { sink, state } = openSink()
    const under = scenario.answer(scenario.commandOf(), sink)
    await expect.poll(() => scenario.asked.length).toBe(1)
    state.hangUp?.()
    gate.open()
    await under
    expect(await scenario.ask(scenario.commandOf())).toEqual([FIRST])
    expect(scenario.asked).toHaveLength(1)
    await scenario.expectCharges(1)
  })

  test('of the clients of an API key that hang up, eight replies are read to their end; the next ends with its client and is charged once', async () => {
    const gate = Promise.withResolvers<void>()
    const reply = scenario.next
    scenario.next = (sink) => {
      const hungUp = new Promise<'hung up'>((resolve) => sink.onClose(() => resolve('hung up')))
      return Promise.race([gate.promise, hungUp]).then((end) => (end === undefined ? reply(sink) : undefined))
    }
    const leaveWith = async (order: number, keyId = 'key_1') => {
      const command = scenario.commandOf({ idempotencyKey: `order ${order}`, keyId })
      const { sink, state } = openSink()
      const under = scenario.answer(command, sink)
      await expect.poll(() => scenario.asked.some(({ body }) => body === command.body)).toBe(true)
      state.hangUp?.()
      return { command, under }
    }
    const eight = await Promise.all(Array.from({ length: 8 }, (_, order) => leaveWith(order)))
    const ninth = await leaveWith(8)
    const another = await leaveWith(0, 'key_2')
    // The ninth request ends while the others still wait.
    await ninth.under
    gate.resolve()
    await Promise.all([...eight, another].map(({ under }) => under))
    const before = scenario.asked.length
    for (const { command } of [...eight, another])
      expect(await scenario.ask(command)).toMatchObject([{ status: 200 }])
    expect(scenario.asked).toHaveLength(before)
    await scenario.replica.writeAll()
    await expect(scenario.ask(ninth.command)).rejects.toMatchObject({ code: 'idempotency_reply_gone' })
    expect(scenario.asked).toHaveLength(before)
    await scenario.expectCharges(10)
    // The eight requests have ended, so their slots are free again.
    await (await leaveWith(9)).under
    expect(await scenario.ask(scenario.commandOf({ idempotencyKey: 'order 9' }))).toMatchObject([
      { status: 200 },
    ])
    await scenario.expectCharges(11)
  })
})
