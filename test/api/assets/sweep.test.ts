import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { applyAssetSnapshot } from '../../../src/app/assets/apply-asset-snapshot.ts'
import { sweepAssets } from '../../../src/app/assets/sweep-assets.ts'
import { startVideoApi } from '../video/start-video-api.ts'
import { assetClientOf, itemsOf } from './call-assets.ts'

const SWEEP_MS = 5_000
const HOUR_MS = 3_600_000
const HALF_LEASE_MS = 30_000

async function openSweep() {
  const api = await startVideoApi()
  onTestFinished(() => api.close())
  const clock = { nowMs: () => api.time.nowMs, monotonicMs: () => api.time.nowMs }
  const tools = {
    clock,
    deadlineClock: clock,
    secrets: createSecrets('a secret of the tests, long enough'),
    assets: api.store.assets,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  }
  const { provider, driver } = api.vendors.assetVendor
  const pause = (ms: number) => sleep(ms, undefined, { ref: false })
  const parts = { ...tools, pause, applySnapshot: applyAssetSnapshot(tools), sweepIntervalMs: SWEEP_MS }
  const open = (getAsset = driver.getAsset) => {
    const sweep = sweepAssets({
      ...parts,
      vendor: { provider, driver: { ...driver, getAsset }, canDelete: false },
    })
    /** Makes a pass, and waits for the end of its last poll. */
    const sweepAll = async () => {
      await sweep.pass()
      await sweep.idle()
    }
    return { ...sweep, sweepAll }
  }
  const client = assetClientOf(api, api.tenant)
  const statuses = async () =>
    itemsOf(await client.listAssets('?limit=100')).map((item) => Object(item).status)
  const asked = async () =>
    (await api.vendors.requests()).filter((line) => line === 'vendor-a-assets get-asset').length
  return { api, client, open, statuses, asked, driver }
}

test('finishes every asset, also when no client asks for it', async () => {
  const { api, client, open, statuses } = await openSweep()
  const count = 40
  for (let at = 0; at < count; at += 1) {
    const file = at % 2 === 0 ? 'cat.png' : 'moderated.png'
    await client.make({ url: `https://media.example/${file}` })
  }
  const sweep = open()
  await sweep.sweepAll()
  expect(new Set(await statuses())).toEqual(new Set(['processing']))
  api.time.nowMs += HOUR_MS
  await sweep.sweepAll()
  const after = await statuses()
  expect(after.filter((status) => status === 'active')).toHaveLength(count / 2)
  expect(after.filter((status) => status === 'failed')).toHaveLength(count / 2)
  await sweep.stop()
})

test('two simultaneous sweeps poll each asset once, and skip ended assets', async () => {
  const { api, client, open, asked } = await openSweep()
  for (let at = 0; at < 10; at += 1) await client.make()
  api.time.nowMs += HOUR_MS
  const sweeps = [open(), open()]
  await Promise.all(sweeps.map((sweep) => sweep.sweepAll()))
  expect(await asked()).toBe(10)
  api.time.nowMs += HOUR_MS
  await Promise.all(sweeps.map((sweep) => sweep.sweepAll()))
  expect(await asked()).toBe(10)
})

test('a stuck asset is polled again, and a vendor fault fails no asset', async () => {
  const { api, client, open, asked, statuses } = await openSweep()
  await client.make({ url: 'https://media.example/stuck.png' })
  const sweep = open()
  for (let pass = 1; pass <= 3; pass += 1) {
    api.time.nowMs += HOUR_MS
    await sweep.sweepAll()
    expect(await asked()).toBe(pass)
  }
  await api.vendors.breakDown({
    part: 'vendor-a-assets',
    operation: 'get-asset',
    times: 1,
    fault: { kind: 'status', status: 500 },
  })
  api.time.nowMs += HOUR_MS
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['processing'])
})

test('a clock that went back an hour stops nothing', async () => {
  const { api, client, open, asked } = await openSweep()
  await client.make({ url: 'https://media.example/stuck.png' })
  api.time.nowMs += HOUR_MS
  await open().sweepAll()
  expect(await asked()).toBe(1)
  api.time.nowMs -= HOUR_MS
  await open().sweepAll()
  expect(await asked()).toBe(2)
})

test('an asset that the vendor does not know fails after a day, not before', async () => {
  const { api, client, open, statuses } = await openSweep()
  const id = await client.make({ url: 'https://media.example/stuck.png' })
  const gone = { Code: 'NotFound.asset_id', Message: 'gone' }
  await api.vendors.breakDown({
    part: 'vendor-a-assets',
    operation: 'get-asset',
    times: 5,
    fault: { kind: 'status', status: 404, body: { ResponseMetadata: { RequestId: '1', Error: gone } } },
  })
  const sweep = open()
  api.time.nowMs += 23 * HOUR_MS
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['processing'])
  api.time.nowMs += HOUR_MS
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['failed'])
  expect(await client.getAsset(id)).toMatchObject({ body: { error: { code: 'processing_failed' } } })
})

test('assets whose poll a stop interrupts are due immediately for another process', async () => {
  const { api, client, open, statuses } = await openSweep()
  await client.make()
  api.time.nowMs += HOUR_MS
  await api.vendors.breakDown({
    part: 'vendor-a-assets',
    operation: 'get-asset',
    times: 1,
    fault: { kind: 'hang' },
  })
  const leaving = open()
  const pass = leaving.pass()
  await expect.poll(() => api.vendors.requests()).toContain('vendor-a-assets get-asset')
  await leaving.stop()
  await pass
  await open().sweepAll()
  expect(await statuses()).toEqual(['active'])
})

test('a slow poll delays no other asset, even if many are due', async () => {
  const { api, client, open, statuses, driver } = await openSweep()
  const count = 40
  for (let at = 0; at < count; at += 1) await client.make()
  api.time.nowMs += HOUR_MS
  const slow = Promise.withResolvers<void>()
  let isFirst = true
  let openQuestions = 0
  let openQuestionsMax = 0
  const sweep = open(async (ticket) => {
    openQuestionsMax = Math.max(openQuestionsMax, ++openQuestions)
    if (isFirst) {
      isFirst = false
      await slow.promise
    }
    const reading = await driver.getAsset(ticket, 'org_1')
    openQuestions -= 1
    return reading
  })
  await sweep.pass()
  const active = async () => (await statuses()).filter((status) => status === 'active').length
  await expect.poll(active).toBe(count - 1)
  slow.resolve()
  await sweep.idle()
  expect(await active()).toBe(count)
  expect(openQuestionsMax).toBe(16)
})

test('the next pass skips an asset with a slow poll, and polls the others', async () => {
  const { api, client, open, asked } = await openSweep()
  const id = await client.make({ url: 'https://media.example/stuck.png' })
  api.time.nowMs += HALF_LEASE_MS
  await client.make()
  // The first asset is an hour old when it is polled for the first time.
  api.time.nowMs += HOUR_MS - HALF_LEASE_MS
  await api.vendors.breakDown({
    part: 'vendor-a-assets',
    operation: 'get-asset',
    times: 1,
    fault: { kind: 'hang' },
  })
  const sweep = open()
  await sweep.pass()
  await expect.poll(asked).toBe(1)
  api.time.nowMs += HALF_LEASE_MS
  await sweep.pass()
  await expect.poll(asked).toBe(2)
  await sweep.stop()
  expect(await api.store.assets.find({ id, organizationId: api.tenant.organizationId })).toMatchObject({
    status: 'processing',
  })
})

test('an old asset is polled every two minutes', async () => {
  const { api, client, open, asked } = await openSweep()
  await client.make({ url: 'https://media.example/stuck.png' })
  const sweep = open()
  api.time.nowMs += 7 * HOUR_MS
  await sweep.sweepAll()
  expect(await asked()).toBe(1)
  api.time.nowMs += 119_000
  await sweep.sweepAll()
  expect(await asked()).toBe(1)
  api.time.nowMs += 1_000
  await sweep.sweepAll()
  expect(await asked()).toBe(2)
})

test('an asset that the vendor never completes fails after a day, and is polled no more', async () => {
  const { api, client, open, asked, statuses } = await openSweep()
  const id = await client.make({ url: 'https://media.example/stuck.png' })
  const sweep = open()
  api.time.nowMs += 24 * HOUR_MS - 1
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['processing'])
  // At this age polls are rare, but the next one is not later than the end.
  api.time.nowMs += 1
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['failed'])
  expect(await client.getAsset(id)).toMatchObject({
    body: { error: { code: 'processing_failed', message: expect.stringContaining('24 hours') } },
  })
  const askedBefore = await asked()
  api.time.nowMs += 24 * HOUR_MS
  await sweep.sweepAll()
  expect(await asked()).toBe(askedBefore)
})

test('while every poll fails, an asset has seven days', async () => {
  const { api, client, open, asked, statuses } = await openSweep()
  await client.make()
  await api.vendors.breakDown({
    part: 'vendor-a-assets',
    operation: 'get-asset',
    times: 10,
    fault: { kind: 'status', status: 500 },
  })
  const sweep = open()
  api.time.nowMs += 6 * 24 * HOUR_MS
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['processing'])
  const askedBefore = await asked()
  api.time.nowMs += 10 * 60_000 - 1
  await sweep.sweepAll()
  expect(await asked()).toBe(askedBefore)
  api.time.nowMs += 24 * HOUR_MS
  await sweep.sweepAll()
  expect(await statuses()).toEqual(['failed'])
})
