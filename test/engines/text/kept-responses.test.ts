import { createClient } from '@redis/client'
import { expect, onTestFinished, test } from 'vitest'
import { CHAT_MODEL, response, textClientOf } from '../../api/text/call-text.ts'
import { startTextApi } from '../../api/text/start-text-api.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { startFaultProxy } from '../../system/faults/harness/fault-proxy.ts'

test('with Redis, responses are kept there, and none of their words can be read', async () => {
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

test.each(['Redis', 'the store'])(
  'adminEraseOrganization 200: kept replies are deleted from %s, also a running one',
  async (place) => {
    const redis = await freshRedis()
    onTestFinished(() => redis.close())
    const ADMIN_API_KEY = 'an-admin-key-of-this-test'
    const environment = { ADMIN_API_KEY, ...(place === 'Redis' && { REDIS_URL: redis.url }) }
    const api = await startTextApi({ environment })
    onTestFinished(() => api.close())
    const other = await api.openTenant()
    const kept = { model: CHAT_MODEL, store: true }
    const ids: unknown[] = []
    for (const tenant of [api.tenant, other])
      ids.push((await textClientOf(api, tenant).responses(response('hello', kept))).body.id)
    const slow = response('[pace 50] [words 9999]', { model: CHAT_MODEL, background: true })
    ids.push((await textClientOf(api, api.tenant).responses(slow)).body.id)
    const { organizationId } = api.tenant
    const erased = await fetch(`${api.url}/admin/v1/organizations/${organizationId}`, {
      method: 'DELETE',
      headers: { 'x-admin-key': ADMIN_API_KEY },
    })
    expect(erased.status).toBe(200)
    // The running reply is charged for its output so far, as in a disabled organization.
    const [whole, cut] = await api.usageOf(api.tenant, 2)
    expect(whole).toMatchObject({ outcome: 'completed', cost_micros: 7 })
    expect(cut).toMatchObject({ outcome: 'failed' })
    const commands = createClient({ url: redis.url })
    await commands.connect()
    onTestFinished(() => commands.close())
    const find = (key: string) =>
      place === 'Redis'
        ? commands.get(key)
        : api.store.keptValues.find({ key, nowMs: Date.now() }).then((value) => value ?? null)
    const replyOf = (at: number, tenant: { organizationId: string }, what = 'reply') =>
      find(`sluice:{org:${tenant.organizationId}}:response:${ids[at]}:${what}`)
    // The parts of a running reply are deleted when its usage row is written.
    for (const what of ['reply', 'conversation', 'end', 'events:0']) {
      expect(await replyOf(0, api.tenant, what)).toBeNull()
      await expect.poll(() => replyOf(2, api.tenant, what)).toBeNull()
    }
    expect(await replyOf(1, other)).toEqual(expect.any(String))
  },
)

test('POST /v1/responses 503: a background reply that cannot be kept is not sent to the vendor, and costs 0 micros', async () => {
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
  // A call that reached the vendor would cost something, even if it is cut off immediately.
  expect(await api.vendor.counts()).toEqual({ open: 0, finished: 0, aborted: 0 })
  expect(await api.usageOf(api.tenant, 0)).toEqual([])
})
