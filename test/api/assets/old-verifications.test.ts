import { expect, onTestFinished, test } from 'vitest'
import { dropOldVerifications } from '../../../src/app/verification/drop-old-verifications.ts'
import { startVideoApi } from '../video/start-video-api.ts'
import { assetClientOf, visit } from './call-assets.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('a verification is forgotten 30 days after it expired, whether it ended or not', async () => {
  const api = await startVideoApi()
  onTestFinished(() => api.close())
  const client = assetClientOf(api, api.tenant)
  const clock = { nowMs: () => api.time.nowMs, monotonicMs: () => 0 }
  const drop = dropOldVerifications({ verifications: api.store.verifications, clock })
  const links = [await client.scan(), await client.scan()]
  await visit(String(links[0]))
  const group = await client.verify(1)
  const statuses = () => Promise.all(links.map(async (url) => (await visit(url)).status))

  api.time.nowMs += 30 * DAY_MS + 30 * MINUTE_MS - 1
  const young = await client.scan()
  await drop()
  expect(await statuses()).toEqual([410, 410])

  api.time.nowMs += 1
  await drop()
  expect(await statuses()).toEqual([404, 404])
  expect((await visit(young)).location).toContain(`group_id=${group}`)
})
