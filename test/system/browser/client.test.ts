import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { SluiceClient } from '@sluice/client'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const SOURCE = fileURLToPath(new URL('../../../packages/client/src/client.ts', import.meta.url))

const PAGE =
  '<!doctype html><title>App</title><script type="module">import * as sluice from "/client.js"; globalThis.sluice = sluice</script>'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

/** Serves a page of an origin of its own that loads the client, which is one file beside it. */
async function openPage(): Promise<string> {
  const bundle = await rolldown({ input: SOURCE, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client.js'
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html')
    response.end(isClient ? output[0].code : PAGE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Walk {
  baseUrl: string
  apiKey: string
  model: string
}

/** Runs in the page: makes a video and reads its first bytes, and checks its receipt. */
async function walkIn({ model, ...options }: Walk) {
  const { createClient, verifyReceipts }: typeof import('@sluice/client') = Object(globalThis).sluice
  const client: SluiceClient = createClient(options)
  const { id } = await client.videos.create({ model, content: [{ type: 'text', text: 'A barge at dawn' }] })
  const video = await client.videos.wait(id, { firstPauseMs: 200, pauseMsMax: 1_000 })
  const clip = await (await client.videos.download(id)).blob()
  const receipt = await client.receipts.ofVideo(id)
  const keys = await client.receipts.keys()
  const { faults } = await verifyReceipts([receipt], keys)
  const refusal = await client.videos.get('task_unknown').catch((error) => error.code)
  return { status: video.status, type: await clip.slice(4, 8).text(), faults, refusal }
}

test('a page makes, awaits and downloads videos of both families with the client', async () => {
  const origin = await openPage()
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), CORS_ORIGINS: origin } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output(), { timeout: 60_000, interval: 250 }).toMatch(/Reference: http/)
  const apiKey = /sk-sluice-[\w-]{48}/.exec(gateway.output())?.[0] ?? ''
  const { page } = await openPhone(browser)
  await page.goto(origin)
  for (const model of ['vendorA/gen-2.0', 'vendorB/gen-v4-std']) {
    const seen = await page.evaluate(walkIn, { baseUrl: gateway.baseUrl, apiKey, model })
    expect(seen).toEqual({ status: 'succeeded', type: 'ftyp', faults: [], refusal: 'task_not_found' })
  }
}, 180_000)
