import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SluiceClient } from '@sluice/client'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const SOURCES = fileURLToPath(new URL('../../../packages/client/src/', import.meta.url))

const PAGE =
  '<!doctype html><title>App</title><script type="module">import * as client from "/client.js"; import * as provenance from "/provenance.js"; globalThis.sluice = { ...client, ...provenance }</script>'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

/** Serves a page from another origin, with the files of the client that it loads. */
async function openPage(): Promise<string> {
  const input = ['client.ts', 'provenance.ts'].map((name) => join(SOURCES, name))
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const server = createServer(({ url }, response) => {
    const file = output.find(({ fileName }) => url === `/${fileName}`)
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file?.type === 'chunk' ? file.code : PAGE)
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

/** Runs in the page: makes a marked video, and verifies it as it came and with one byte changed. */
async function proveIn({ model, ...options }: Walk) {
  const {
    createClient,
    readProvenance,
  }: typeof import('@sluice/client') & typeof import('@sluice/client/provenance') = Object(globalThis).sluice
  const client: SluiceClient = createClient(options)
  const content = [{ type: 'text' as const, text: 'A barge at dawn [marked]' }]
  const { id } = await client.videos.create({ model, content })
  await client.videos.wait(id, { firstPauseMs: 200, pauseMsMax: 1_000 })
  let kept: Awaited<ReturnType<typeof client.videos.provenance>> | undefined
  while (kept === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    kept = await client.videos.provenance(id).catch(() => undefined)
  }
  const bytes = new Uint8Array(await (await client.videos.download(id)).arrayBuffer())
  const proof = { receipt: kept.entry, keys: await client.receipts.keys() }
  const whole = await readProvenance(bytes, proof)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const changed = await readProvenance(new Blob([bytes]), proof)
  return {
    hashes: whole.sha256 === kept.sha256,
    marks: whole.marks?.c2pa,
    matches: [whole.receipt?.matches, changed.receipt?.matches],
    changed: changed.marks?.c2pa.state,
  }
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

test('a page makes, awaits, downloads and proves videos with the client', async () => {
  const origin = await openPage()
  const env = { DATA_DIR: dataFolder(), CORS_ORIGINS: origin, MEDIA_STORE: 'folder' }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output(), { timeout: 60_000, interval: 250 }).toMatch(/Reference: http/)
  const apiKey = /sk-sluice-[\w-]{48}/.exec(gateway.output())?.[0] ?? ''
  const { page } = await openPhone(browser)
  await page.goto(origin)
  for (const model of ['vendorA/gen-2.0', 'vendorB/gen-v4-std']) {
    const seen = await page.evaluate(walkIn, { baseUrl: gateway.baseUrl, apiKey, model })
    expect(seen).toEqual({ status: 'succeeded', type: 'ftyp', faults: [], refusal: 'task_not_found' })
  }
  const model = 'vendorA/gen-2.0'
  expect(await page.evaluate(proveIn, { baseUrl: gateway.baseUrl, apiKey, model })).toEqual({
    hashes: true,
    marks: { state: 'valid', issuer: 'Sluice sandbox' },
    matches: [true, false],
    changed: 'invalid',
  })
}, 180_000)
