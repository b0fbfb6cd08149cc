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
  let story: Replays
  beforeEach(async () => {
    engine = await openEngine()
    story = await openReplays(engine)
  })
  afterEach(async () => {
    await story.close()
    await engine.close()
  })

  test('when the reply is gone the answer says so for a day, and nothing more is charged', async () => {
    const forgetful = story.over({ ...story.engine.cache, set: async () => {} })
    expect(await story.ask(story.commandOf(), forgetful)).toEqual([FIRST])
    await story.expectCharges(1)
    for (const through of [forgetful, story.over(story.engine.replica)]) {
      await expect(story.ask(story.commandOf(), through)).rejects.toMatchObject({
        code: 'idempotency_reply_gone',
      })
      await expect(story.ask(story.otherBody(), through)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
    }
    expect(story.asked).toHaveLength(1)
    await story.expectCharges(1)
    story.bank.clock.pass(DAY_MS)
    await story.replica.allowances.keep()
    expect(await story.ask(story.commandOf(), forgetful)).toMatchObject([{ body: 'reply 2 ü' }])
  })

  test('a request whose process is gone frees its key when the lease runs out, and is charged once', async () => {
    story.next = () => new Promise(() => {})
    void story.ask(story.commandOf())
    await expect.poll(() => story.asked.length).toBe(1)
    story.next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'again' })
    const other = story.over(story.engine.replica)
    story.bank.clock.pass(LEASE_MS - 1)
    await expect(story.ask(story.commandOf(), other)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    story.bank.clock.pass(1)
    expect(await story.ask(story.commandOf(), other)).toMatchObject([{ body: 'again' }])
    expect(await story.ask(story.commandOf(), other)).toMatchObject([{ body: 'again' }])
    expect(story.asked).toHaveLength(2)
    await story.expectCharges(1)
  })

  test('a request that is renewed keeps its key, and in its own process whatever the clock says', async () => {
    const claims = story.claimsOf()
    const gate = story.holdNext()
    const own = story.over(story.engine.cache, claims)
    const running = story.ask(story.commandOf(), own)
    await expect.poll(() => story.asked.length).toBe(1)
    story.bank.clock.pass(LEASE_MS - 1)
    await claims.renew()
    story.bank.clock.pass(LEASE_MS - 1)
    await expect(story.ask(story.commandOf(), story.over(story.engine.replica))).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    story.bank.clock.pass(10 * LEASE_MS)
    await expect(story.ask(story.commandOf(), own)).rejects.toMatchObject({ code: 'idempotency_key_in_use' })
    await expect(story.ask(story.otherBody(), own)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    gate.open()
    expect(await running).toEqual([FIRST])
    expect(story.asked).toHaveLength(1)
  })

  test('of two requests that both came to run for a key, the one that has it is charged', async () => {
    const reply = story.next
    const gate = story.holdNext()
    const late = story.ask(story.commandOf())
    await expect.poll(() => story.asked.length).toBe(1)
    story.bank.clock.pass(LEASE_MS)
    story.next = reply
    await story.ask(story.otherBody(), story.over(story.engine.replica))
    gate.open()
    await late
    await story.expectCharges(1)
    // The reply of the request that lost the key is no answer to the one that has it.
    expect(await story.ask(story.otherBody(), story.over(story.engine.replica))).toMatchObject([
      { body: 'reply 2 ü' },
    ])
    await expect(story.ask(story.commandOf(), story.over(story.engine.replica))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    await story.expectCharges(1)
  })

  test('while the store is unreachable nothing is asked; a claim whose answer was lost is given back', async () => {
    const { requestClaims } = story.bank.store
    const away = new ApiError('store_unavailable')
    const unheard = story.claimsOf({
      ...requestClaims,
      claim: async (claim) => {
        await requestClaims.claim(claim)
        throw away
      },
    })
    await expect(story.ask(story.commandOf(), story.over(story.engine.cache, unheard))).rejects.toBe(away)
    expect(story.asked).toHaveLength(0)
    await expect.poll(() => story.ask(story.commandOf()).catch(({ code }: ApiError) => code)).toEqual([FIRST])
    await story.expectCharges(1)
  })

  test('a client that hangs up finds its reply when it comes back', async () => {
    const gate = story.holdNext()
    const { sink, state } = openSink()
    const under = story.answer(story.commandOf(), sink)
    await expect.poll(() => story.asked.length).toBe(1)
    state.hangUp?.()
    gate.open()
    await under
    expect(await story.ask(story.commandOf())).toEqual([FIRST])
    expect(story.asked).toHaveLength(1)
    await story.expectCharges(1)
  })

  test('of clients that hang up, eight of an API key are heard out; the next ends with its client and is charged once', async () => {
    const gate = Promise.withResolvers<void>()
    const reply = story.next
    story.next = (sink) => {
      const hungUp = new Promise<'hung up'>((resolve) => sink.onClose(() => resolve('hung up')))
      return Promise.race([gate.promise, hungUp]).then((end) => (end === undefined ? reply(sink) : undefined))
    }
    const leaveWith = async (order: number, keyId = 'key_1') => {
      const command = story.commandOf({ idempotencyKey: `order ${order}`, keyId })
      const { sink, state } = openSink()
      const under = story.answer(command, sink)
      await expect.poll(() => story.asked.some(({ body }) => body === command.body)).toBe(true)
      state.hangUp?.()
      return { command, under }
    }
    const eight = await Promise.all(Array.from({ length: 8 }, (_, order) => leaveWith(order)))
    const ninth = await leaveWith(8)
    const another = await leaveWith(0, 'key_2')
    // It is over while the others still wait.
    await ninth.under
    gate.resolve()
    await Promise.all([...eight, another].map(({ under }) => under))
    const before = story.asked.length
    for (const { command } of [...eight, another])
      expect(await story.ask(command)).toMatchObject([{ status: 200 }])
    expect(story.asked).toHaveLength(before)
    await story.replica.writeAll()
    await expect(story.ask(ninth.command)).rejects.toMatchObject({ code: 'idempotency_reply_gone' })
    expect(story.asked).toHaveLength(before)
    await story.expectCharges(10)
    // The eight are over, so there is room again.
    await (await leaveWith(9)).under
    expect(await story.ask(story.commandOf({ idempotencyKey: 'order 9' }))).toMatchObject([{ status: 200 }])
    await story.expectCharges(11)
  })
})
