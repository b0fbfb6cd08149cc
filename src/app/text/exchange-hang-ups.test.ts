import { expect, test } from 'vitest'
import { openExchange } from '../../../test/text-exchange/open-exchange.ts'

const TOKENS = { input: 10, cachedInput: 0, cacheWrite: 0, output: 9_000, reasoning: 8_900 }

/** A stream that has shown that it reasons, and whose client leaves it then. */
function openLeft(options: Parameters<typeof openExchange>[0] = {}) {
  const opened = openExchange(options)
  const { vendor, relay, client } = opened
  vendor.ask()
  vendor.head()
  vendor.say('a')
  relay.reasoning = { proofBytes: 600 }
  client.close()
  return opened
}

test('a stream that reasons is heard until its vendor has counted', async () => {
  const { vendor, relay, client, end, isLive, tick } = openLeft()
  expect(await end()).toBeUndefined()
  vendor.say('b')
  tick(100)
  relay.tokens = TOKENS
  vendor.say('end')
  expect(await end()).toMatchObject({
    outcome: 'hung-up',
    tokens: TOKENS,
    isAllCounted: true,
    hidden: undefined,
  })
  vendor.end()
  expect(client.heard).toEqual(['begin 200', '<a>'])
  expect(vendor.calls).toEqual(['asked'])
  expect(isLive()).toBe(false)
})

test('one that was held up by its client goes on', () => {
  const { vendor, relay, client } = openExchange()
  vendor.ask()
  vendor.head()
  client.isSlow = true
  vendor.say('a')
  relay.reasoning = { proofBytes: 0 }
  client.close()
  vendor.say('b')
  expect(vendor.calls).toEqual(['asked', 'pause', 'resume'])
})

test.each([
  ['its time is over', { hangUpListenMs: 5 }, () => {}],
  ['its vendor breaks off', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.fail('broken')],
  ['its vendor closes without a word', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.end()],
  ['its vendor says that it failed', {}, ({ vendor }: ReturnType<typeof openLeft>) => vendor.say('fail')],
  ['the process leaves', {}, ({ leave }: ReturnType<typeof openLeft>) => leave()],
])('it ends without a count when %s', async (_name, options, act) => {
  const opened = openLeft(options)
  act(opened)
  await expect
    .poll(() => opened.end())
    .toMatchObject({ outcome: 'hung-up', tokens: undefined, hidden: { proofBytes: 600, durationMs: 0 } })
  expect(opened.client.heard).toEqual(['begin 200', '<a>'])
  opened.vendor.end()
  expect(opened.isLive()).toBe(false)
})

test.each([
  ['has not shown that it reasons', {}, undefined],
  ['is not to be heard', { hangUpListenMs: 0 }, { proofBytes: 600 }],
])('a stream that %s ends with its client', async (_name, options, reasoning) => {
  const { vendor, relay, client, end } = openExchange(options)
  vendor.ask()
  vendor.head()
  vendor.say('a')
  relay.reasoning = reasoning
  client.close()
  expect(vendor.calls).toEqual(['asked', 'over: aborted'])
  expect(await end()).toMatchObject({ outcome: 'hung-up', hidden: reasoning })
})
