import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CALLER } from '../../../test/caller.ts'
import { CACHE_ENGINES, type CacheEngine } from '../../../test/contracts/cache/cache-engine.ts'
import { createLogBook } from '../../../test/contracts/cache/log-book.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Cache } from '../../ports/cache.ts'
import type { AnswerText } from './answer-text.ts'
import { replayReplies } from './replay-replies.ts'
import type { ReplySink } from './reply-sink.ts'
import type { LightCommand, TextCommand } from './text-command.ts'

type Head = Parameters<ReplySink['begin']>[0]

const secrets = createSecrets('a secret of the tests, long enough')

function commandOf(change: Partial<LightCommand> & { text?: string; keyId?: string } = {}): TextCommand {
  const { text = '{"model":"v/m","input":"hi"}', keyId = 'key_1', ...rest } = change
  return {
    endpoint: 'responses',
    caller: { ...CALLER, keyId },
    body: { bytes: Buffer.from(text), value: JSON.parse(text) },
    version: undefined,
    betas: undefined,
    isStrict: false,
    idempotencyKey: 'order 66',
    ...rest,
  }
}

/** A client's end; `hangUp` is what it does when it leaves. */
function openSink() {
  const begun: Head[] = []
  const state: { hangUp: (() => void) | undefined } = { hangUp: undefined }
  const sink: ReplySink = {
    begin(head) {
      begun.push({ ...head, headers: { ...head.headers } })
      head.headers['x-request-id'] = 'added by the edge'
    },
    write: () => true,
    end() {},
    cut() {},
    onDrain() {},
    onClose: (listener) => {
      state.hangUp = listener
    },
  }
  return { sink, begun, state }
}

describe.each(Object.entries(CACHE_ENGINES))('an Idempotency-Key on %s', (_name, openEngine) => {
  let engine: CacheEngine
  let asked: TextCommand[]
  /** What the next request will meet. */
  let next: (sink: ReplySink) => Promise<void>
  let answer: AnswerText
  let log: ReturnType<typeof createLogBook>
  beforeEach(async () => {
    engine = await openEngine()
    asked = []
    log = createLogBook()
    next = async (sink) =>
      sink.begin({ status: 200, headers: { 'content-type': 'x' }, body: `reply ${asked.length} ü` })
    answer = over(engine.cache)
  })
  afterEach(() => engine.close())

  const over = (cache: Cache): AnswerText =>
    replayReplies({
      cache,
      secrets,
      log,
      answer: (command, sink) => {
        asked.push(command)
        return next(sink)
      },
    })
  const ask = async (command: TextCommand, through = answer) => {
    const { sink, begun } = openSink()
    await through(command, sink)
    return begun
  }
  const first: Head = { status: 200, headers: { 'content-type': 'x' }, body: 'reply 1 ü' }

  test('the same request gets the first reply again, on any replica, and is not asked again', async () => {
    expect(await ask(commandOf())).toEqual([first])
    expect(await ask(commandOf())).toEqual([first])
    expect(await ask(commandOf(), over(engine.replica))).toEqual([first])
    expect(asked).toHaveLength(1)
  })

  test('bytes are kept as the text they are', async () => {
    next = async (sink) => sink.begin({ status: 200, headers: {}, body: Buffer.from('{"emoji":"🌊"}') })
    await ask(commandOf())
    expect(await ask(commandOf())).toEqual([{ status: 200, headers: {}, body: '{"emoji":"🌊"}' }])
  })

  test.each<[string, TextCommand]>([
    ['another body', commandOf({ text: '{"model":"v/m","input":"ho"}' })],
    ['the same body at the other endpoint', commandOf({ endpoint: 'messages' })],
  ])('%s is refused', async (_case, other) => {
    await ask(commandOf())
    await expect(ask(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect(asked).toHaveLength(1)
  })

  test.each<[string, TextCommand]>([
    ['another key', commandOf({ idempotencyKey: 'order 67' })],
    ['no key', commandOf({ idempotencyKey: undefined })],
    ['the same key of another API key', commandOf({ keyId: 'key_2' })],
  ])('%s is a request of its own', async (_case, other) => {
    await ask(commandOf())
    expect(await ask(other)).toMatchObject([{ body: 'reply 2 ü' }])
  })

  test('streams ignore it', async () => {
    const stream = commandOf({ text: '{"model":"v/m","input":"hi","stream":true}' })
    await ask(stream)
    await ask(stream)
    expect(asked).toHaveLength(2)
    expect(await ask(commandOf())).toMatchObject([{ body: 'reply 3 ü' }])
  })

  test('one that is under way is in use; of many at once one is asked', async () => {
    const gate = Promise.withResolvers<void>()
    const reply = next
    next = (sink) => gate.promise.then(() => reply(sink))
    const answers = Array.from({ length: 10 }, () => ask(commandOf()).catch(({ code }: Refusal) => code))
    // Nine are refused while the one that was taken still waits.
    const refused: unknown[] = []
    for (const each of answers) void each.then((end) => refused.push(end))
    await expect.poll(() => refused).toEqual(Array(9).fill('idempotency_key_in_use'))
    gate.resolve()
    expect(await Promise.all(answers)).toContainEqual([first])
    expect(asked).toHaveLength(1)
  })

  test('a refusal frees the key, also for another body', async () => {
    next = () => Promise.reject(new Refusal('insufficient_balance'))
    await expect(ask(commandOf())).rejects.toMatchObject({ code: 'insufficient_balance' })
    next = async (sink) => sink.begin({ status: 200, headers: {}, body: 'now' })
    expect(await ask(commandOf({ text: '{"model":"v/m","input":"ho"}' }))).toMatchObject([{ body: 'now' }])
  })

  test('a client that hangs up finds its reply when it comes back', async () => {
    const gate = Promise.withResolvers<void>()
    const reply = next
    next = (sink) => gate.promise.then(() => reply(sink))
    const { sink, state } = openSink()
    const under = answer(commandOf(), sink)
    await expect.poll(() => asked.length).toBe(1)
    state.hangUp?.()
    gate.resolve()
    await under
    expect(await ask(commandOf())).toEqual([first])
    expect(asked).toHaveLength(1)
  })

  test('of clients that hang up, eight of an API key are heard out; the next ends with its client', async () => {
    const gate = Promise.withResolvers<void>()
    const reply = next
    next = (sink) => {
      const hungUp = new Promise<'hung up'>((resolve) => sink.onClose(() => resolve('hung up')))
      return Promise.race([gate.promise, hungUp]).then((end) => (end === undefined ? reply(sink) : undefined))
    }
    const leaveWith = async (order: number, keyId = 'key_1') => {
      const command = commandOf({ idempotencyKey: `order ${order}`, keyId })
      const { sink, state } = openSink()
      const under = answer(command, sink)
      await expect.poll(() => asked.includes(command)).toBe(true)
      state.hangUp?.()
      return { command, under }
    }
    const eight = await Promise.all(Array.from({ length: 8 }, (_, order) => leaveWith(order)))
    const ninth = await leaveWith(8)
    const another = await leaveWith(0, 'key_2')
    // It is over while the others still wait, and its key is free.
    await ninth.under
    gate.resolve()
    await Promise.all([...eight, another].map(({ under }) => under))
    const before = asked.length
    for (const { command } of [...eight, another]) expect(await ask(command)).toMatchObject([{ status: 200 }])
    expect(asked).toHaveLength(before)
    await ask(ninth.command)
    expect(asked).toHaveLength(before + 1)
    // The eight are over, so there is room again.
    await (await leaveWith(9)).under
    expect(await ask(commandOf({ idempotencyKey: 'order 9' }))).toMatchObject([{ status: 200 }])
    expect(asked).toHaveLength(before + 2)
  })

  test('a reply of more than 1 MB is sent, and said to be gone afterwards', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1)
    next = async (sink) => sink.begin({ status: 200, headers: {}, body: large })
    expect((await ask(commandOf()))[0]?.body).toHaveLength(large.length)
    await expect(ask(commandOf())).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
      message: expect.stringMatching(/too large/),
    })
    expect(asked).toHaveLength(1)
  })

  test('while the cache is away every request is served, and one line says so', async () => {
    const away = over({ ...engine.cache, setIfAbsent: () => Promise.reject(new Error('away')) })
    expect(await ask(commandOf(), away)).toMatchObject([{ body: 'reply 1 ü' }])
    expect(await ask(commandOf(), away)).toMatchObject([{ body: 'reply 2 ü' }])
    expect(log.events).toEqual([expect.stringMatching(/cache is away/)])
  })

  test('a cache that goes away meanwhile takes the reply from nobody', async () => {
    const leaving = over({ ...engine.cache, set: () => Promise.reject(new Error('away')) })
    expect(await ask(commandOf(), leaving)).toEqual([first])
  })
})

test('what is kept shows neither the reply nor the key, and is given for a day', async () => {
  const kept: { key: string; value: string; ttlMs: number }[] = []
  const cache = {
    setIfAbsent: async () => true,
    async set(key: string, value: string, { ttlMs }: { ttlMs: number }) {
      kept.push({ key, value, ttlMs })
    },
  }
  const unused = () => Promise.reject(new Error('not expected here'))
  const through = replayReplies({
    secrets,
    log: createLogBook(),
    cache: {
      ...cache,
      get: unused,
      delete: unused,
      publish: unused,
      subscribe: unused,
      ping: unused,
      close: unused,
    },
    answer: async (_command, sink) => sink.begin({ status: 200, headers: {}, body: 'canary' }),
  })
  await through(commandOf({ idempotencyKey: 'canary' }), openSink().sink)
  expect(kept).toMatchObject([{ ttlMs: 86_400_000 }])
  expect(JSON.stringify(kept)).not.toMatch(/canary/)
})
