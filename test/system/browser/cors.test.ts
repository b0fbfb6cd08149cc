import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const PATIENCE = { timeout: 60_000, interval: 250 }

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

/** An empty page of an origin of its own. */
async function openOrigin(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>App</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Call {
  url: string
  key: string
  body: object
}

/** Runs in the page: what its scripts can read of a reply. */
async function fetchIn({ url, key, body }: Call) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  try {
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, requestId: reply.headers.get('x-request-id'), text: await reply.text() }
  } catch (error) {
    return { status: 0, requestId: null, text: String(error) }
  }
}

test('a page of a listed origin streams text and makes a video, a page of another origin reads nothing', async () => {
  const [listed, other] = [await openOrigin(), await openOrigin()]
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), CORS_ORIGINS: listed } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output(), PATIENCE).toMatch(/Reference: http/)
  const key = /sk-sluice-[\w-]{48}/.exec(gateway.output())?.[0] ?? ''
  const stream = {
    url: `${gateway.baseUrl}/v1/chat/completions`,
    key,
    body: { model: 'vendorC/model-4.1', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
  }
  const video = {
    url: `${gateway.baseUrl}/v1/video/generations`,
    key,
    body: { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'A barge passes a lock at dawn' }] },
  }
  const { page } = await openPhone(browser)

  await page.goto(listed)
  const text = await page.evaluate(fetchIn, stream)
  expect(text).toMatchObject({ status: 200, requestId: expect.stringMatching(/^req_/) })
  expect(text.text).toMatch(/^data: [\s\S]*data: \[DONE\]\n\n$/)
  const task = await page.evaluate(fetchIn, video)
  expect(task).toMatchObject({ status: 200, requestId: expect.stringMatching(/^req_/) })
  expect(JSON.parse(task.text)).toMatchObject({ model: 'vendorA/gen-2.0', status: 'queued' })
  const refused = await page.evaluate(fetchIn, { ...stream, key: 'wrong' })
  expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('invalid_api_key') })

  await page.goto(other)
  expect(await page.evaluate(fetchIn, stream)).toMatchObject({ status: 0, requestId: null })
}, 120_000)
