import { describe, expect, test } from 'vitest'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

const TOKENS = { input: 10, cachedInput: 0, cacheWrite: 0, output: 9_000, reasoning: 8_900 }

/** A stream whose client leaves after the model has begun to reason. */
function openLeft(options: Parameters<typeof openVendorCall>[0] = {}) {
  const opened = openVendorCall(options)
  const { vendor, relay, client } = opened
  vendor.ask()
  vendor.head()
  vendor.say('a')
  relay.reasoning = { proofCharacters: 600 }
  client.close()
  return opened
}

test('a stream that reasons is read until its vendor has reported the usage', async () => {
  const { vendor, relay, client, end, isLive, tick } = openLeft()
  expect(await end()).toBeUndefined()
  vendor.say('b')
  tick(100)
  relay.tokens = TOKENS
  vendor.say('end')
  expect(await end()).toMatchObject({
    outcome: 'hung-up',
    tokens: TOKENS,
    isReadToEnd: true,
  })
  vendor.end()
  expect(client.received).toEqual(['begin 200', '<a>'])
  expect(vendor.calls).toEqual(['asked'])
  expect(isLive()).toBe(false)
})

test('a stream that its client had paused is resumed when the client leaves', () => {
  const { vendor, relay, client } = openVendorCall()
  vendor.ask()
  vendor.head()
  client.isSlow = true
  vendor.say('a')
  relay.reasoning = { proofCharacters: 0 }
  client.close()
  vendor.say('b')
  expect(vendor.calls).toEqual(['asked', 'pause', 'resume'])
})

test.each([
  ['its time is over', { hangUpListenMs: 5 }, () => {}],
  ['its vendor breaks off', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.fail('broken')],
  ['its vendor closes without a final event', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.end()],
  ['its vendor says that it failed', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.say('fail')],
  ['the process stops', {}, ({ leave }: ReturnType<typeof openLeft>) => leave()],
])('a stream left by its client ends without usage when %s', async (_name, options, act) => {
  const opened = openLeft(options)
  act(opened)
  await expect
    .poll(() => opened.end())
    .toMatchObject({ outcome: 'hung-up', tokens: undefined, hidden: { proofCharacters: 600, durationMs: 0 } })
  expect(opened.client.received).toEqual(['begin 200', '<a>'])
  opened.vendor.end()
  expect(opened.isLive()).toBe(false)
})

test('a stream whose large event is being read ends after that event, whose bytes are counted', async () => {
  const { vendor, relay, client, end } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('a')
  const read = Promise.withResolvers<void>()
  relay.reading = read.promise
  vendor.say('b')
  client.close()
  expect(await end()).toBeUndefined()
  relay.readOn = () => {
    relay.reading = undefined
    relay.outputBytes += 900
    return ''
  }
  const before = relay.outputBytes
  read.resolve()
  await expect.poll(end).toMatchObject({ outcome: 'hung-up', outputBytes: before + 900 })
  expect(vendor.calls).toEqual(['asked', 'pause', 'over: aborted'])
})

test.each([
  ['has not shown that it reasons', {}, undefined],
  ['may not be read after a hang-up', { hangUpListenMs: 0 }, { proofCharacters: 600 }],
])('a stream that %s ends with its client', async (_name, options, reasoning) => {
  const { vendor, relay, client, end } = openVendorCall(options)
  vendor.ask()
  vendor.head()
  vendor.say('a')
  relay.reasoning = reasoning
  client.close()
  expect(vendor.calls).toEqual(['asked', 'over: aborted'])
  expect(await end()).toMatchObject({ outcome: 'hung-up', hidden: reasoning })
})

describe('a whole reply with a client that leaves', () => {
  const openWhole = (options: Parameters<typeof openVendorCall>[0] = {}) => {
    const opened = openVendorCall({ wants: 'whole', ...options })
    opened.vendor.ask()
    return opened
  }

  test.each(['before the head', 'in its middle'])('%s is read to its end', async (when) => {
    const { vendor, client, end, isLive } = openWhole()
    if (when === 'in its middle') {
      vendor.head()
      vendor.say('re')
    }
    client.close()
    expect(await end()).toBeUndefined()
    if (when === 'before the head') {
      vendor.head()
      vendor.say('re')
    }
    vendor.say('ply')
    vendor.end()
    expect(await end()).toMatchObject({ outcome: 'hung-up', isReadToEnd: true, outputBytes: 5 })
    expect(client.received).toEqual([])
    expect(vendor.calls).toEqual(['asked'])
    expect(isLive()).toBe(false)
  })

  test.each(['maybe', 'no'] as const)(
    'is ended after a while; the vendor has the request: %s',
    async (taken) => {
      const { vendor, client, end, isLive } = openWhole({ hangUpListenMs: 5, taken })
      client.close()
      await expect.poll(() => vendor.calls).toEqual(['asked', 'over: aborted'])
      expect(await end()).toMatchObject(
        taken === 'no'
          ? { kind: 'refused', reached: false }
          : { outcome: 'hung-up', isReadToEnd: false, outputBytes: 0, firstByteMs: undefined },
      )
      expect(isLive()).toBe(false)
    },
  )

  test.each<[string, (opened: ReturnType<typeof openWhole>) => void, object]>([
    [
      'its vendor breaks off',
      ({ vendor }) => vendor.fail('broken'),
      { outcome: 'hung-up', isReadToEnd: false },
    ],
    ['the process stops', ({ leave }) => leave(), { outcome: 'hung-up', isReadToEnd: false }],
    [
      'its vendor refuses',
      ({ vendor }) => {
        vendor.head(500)
        vendor.end()
      },
      { kind: 'refused', reached: true },
    ],
  ])('ends when %s', async (_name, act, expected) => {
    const opened = openWhole()
    opened.client.close()
    act(opened)
    expect(await opened.end()).toMatchObject(expected)
    opened.vendor.end()
    expect(opened.isLive()).toBe(false)
  })

  test('in the queue for its vendor is not sent any more', async () => {
    const { vendor, client, end } = openWhole({ isQueued: true, taken: 'no' })
    client.close()
    expect(await end()).toMatchObject({ kind: 'refused', reached: false })
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
  })
})

test.each(['before the head', 'in its middle'])(
  'a stream with input that only its vendor can count is read to its end when its client leaves %s',
  async (when) => {
    const { vendor, client, relay, end } = openVendorCall({ hidesInput: true })
    vendor.ask()
    if (when === 'before the head') client.close()
    vendor.head()
    vendor.say('a')
    if (when === 'in its middle') client.close()
    relay.tokens = TOKENS
    vendor.say('end')
    expect(await end()).toMatchObject({ outcome: 'hung-up', tokens: TOKENS, isReadToEnd: true })
  },
)

test.each([
  ['its input is counted', { tokens: TOKENS }, true],
  ['its vendor ran no tool', { hostedCalls: 0 }, true],
  ['its vendor ran a tool', { tokens: TOKENS, hostedCalls: 1 }, false],
  ['it may have reasoned unseen', { tokens: TOKENS, mayReason: true }, false],
  [
    'all of its reasoning is counted',
    { tokens: TOKENS, reasoning: { proofCharacters: 600 }, isCounted: true },
    true,
  ],
  ['all that its tools read is counted', { tokens: TOKENS, hostedCalls: 1, isCounted: true }, true],
])('a stream that its client leaves is stopped or read on: %s', (_name, state, isStopped) => {
  const { vendor, client, relay } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('a')
  Object.assign(relay, state)
  client.close()
  expect(vendor.calls).toEqual(isStopped ? ['asked', 'over: aborted'] : ['asked'])
})

test('a stream that its client leaves between the full count and the last event costs that count', async () => {
  const { vendor, relay, client, end, isLive } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('a')
  Object.assign(relay, { tokens: TOKENS, reasoning: { proofCharacters: 600 }, isCounted: true })
  client.close()
  const ended = await end()
  expect(ended).toMatchObject({ outcome: 'hung-up', tokens: TOKENS, isReadToEnd: true })
  expect(ended).not.toHaveProperty('hidden')
  expect(isLive()).toBe(false)
})

test('a stream that its vendor breaks off before the last event has failed', async () => {
  const { vendor, relay, end } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('a')
  Object.assign(relay, { tokens: TOKENS, isCounted: true })
  vendor.fail('broken')
  expect(await end()).toMatchObject({ outcome: 'failed', tokens: TOKENS, isReadToEnd: false })
})

describe('a stream that the gateway has ended before its vendor reported the usage', () => {
  const openUncounted = (options: Parameters<typeof openVendorCall>[0] = {}) => {
    const opened = openVendorCall(options)
    opened.vendor.ask()
    opened.vendor.head()
    opened.vendor.say('a')
    opened.relay.awaitsCount = true
    opened.relay.tokens = TOKENS
    return opened
  }

  test('ends when the usage arrives', async () => {
    const { vendor, client, end } = openUncounted()
    vendor.say('b')
    vendor.say('end')
    expect(await end()).toMatchObject({ outcome: 'completed', isReadToEnd: true, tokens: TOKENS })
    expect(client.received).toEqual(['begin 200', '<a>', '<b>', '<end>', 'end'])
    expect(vendor.calls).toEqual(['asked'])
  })

  test.each<[string, object, (opened: ReturnType<typeof openUncounted>) => void]>([
    ['after a while', { hangUpListenMs: 5 }, () => {}],
    ['when its vendor breaks off', {}, ({ vendor }) => vendor.fail('broken')],
    ['when the process stops', {}, ({ leave }) => leave()],
  ])('ends without the usage %s', async (_name, options, act) => {
    const opened = openUncounted(options)
    opened.vendor.say('b')
    act(opened)
    await expect.poll(() => opened.end()).toMatchObject({ outcome: 'completed', isReadToEnd: false })
    expect(opened.client.received).toEqual(['begin 200', '<a>', '<b>', '<settled>', 'end'])
  })

  test('is still read when its client leaves', async () => {
    const { vendor, relay, client, end } = openUncounted()
    relay.reasoning = { proofCharacters: 0 }
    vendor.say('b')
    client.close()
    vendor.say('end')
    expect(await end()).toMatchObject({ outcome: 'hung-up', isReadToEnd: true, tokens: TOKENS })
  })
})
