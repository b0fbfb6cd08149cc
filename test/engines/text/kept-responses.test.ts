import { createClient } from '@redis/client'
import { expect, onTestFinished, test } from 'vitest'
import { CHAT_MODEL, response, textClientOf } from '../../api/text/call-text.ts'
import { startTextApi } from '../../api/text/start-text-api.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { startFaultProxy } from '../../system/faults/harness/fault-proxy.ts'

test('with Redis responses are kept there, where none of their words can be read', async () => {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const api = await startTextApi({ environment: { REDIS_URL: redis.url } })
  onTestFinished(() => api.close())
  const client = textClientOf(api, api.tenant)
  const more = { model: CHAT_MODEL, background: true, stream: true }
  const made = await client.responses(response('say [words 5] canary', more))
  const [, id] = /"id":"(resp_[^"]+)"/.exec(made.text) ?? []
  const headers = { authorization: `Bearer ${api.tenant.key}` }
  const read = await fetch(`${api.url}/v1/responses/${id}?stream=true`, { headers })
  expect(await read.text()).toBe(made.text)
  const again = { model: CHAT_MODEL, previous_response_id: id }
  expect((await client.responses(response('more', again))).status).toBe(200)
  expect(
    await api.store.keptValues.find({
      key: `sluice:{org:${api.tenant.organizationId}}:response:${id}:reply`,
      nowMs: 0,
    }),
  ).toBeUndefined()

  const commands = createClient({ url: redis.url })
  await commands.connect()
  onTestFinished(() => commands.close())
  const kept = (await commands.keys('*')).filter((key) => key.includes(`:response:${id}:`))
  expect(kept.map((key) => key.split(':').slice(5).join(':')).sort()).toEqual(
    expect.arrayContaining(['conversation', 'events:0', 'reply']),
  )
  for (const key of kept) {
    expect(await commands.get(key)).not.toMatch(/canary|output_text|message/)
    expect(await commands.pTTL(key)).toBeGreaterThan(0)
  }
})

test('POST /v1/responses 503: a background reply that cannot be kept is not asked of the vendor, and costs 0 micros', async () => {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const url = new URL(redis.url)
  const proxy = await startFaultProxy({ port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.port = String(proxy.port)
  const api = await startTextApi({ environment: { REDIS_URL: url.href } })
  onTestFinished(() => api.close())
  const client = textClientOf(api, api.tenant)
  // The vendor would have time to answer while Redis is silent.
  await proxy.setMode({ kind: 'hang' })
  const more = { model: CHAT_MODEL, background: true }
  const refused = await client.responses(response('[words 500] [pace 5]', more))
  expect(refused.status).toBe(503)
  expect(refused.text).toContain('store_unavailable')
  // What reached the vendor would cost something, even when it is cut off at once.
  expect(await api.vendor.counts()).toEqual({ open: 0, finished: 0, aborted: 0 })
  expect(await api.usageOf(api.tenant, 0)).toEqual([])
})
