import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { runSluice } from './run-sluice.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const KEY = /sk-sluice-[\w-]{48}/g
const PATIENCE_MS = 60_000

async function start(dataDir: string): Promise<GatewayProcess> {
  const gateway = await startGateway({ env: { DATA_DIR: dataDir } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  return gateway
}

/** Pastes the block that the start printed, and returns what it wrote. */
async function pasteBlock(gateway: GatewayProcess, cwd: string): Promise<string> {
  const [, block = ''] = /^Paste this .*\n\n((?: {2}.*\n)+)\n/m.exec(gateway.output()) ?? []
  expect(block).not.toContain('#')
  return (await promisify(execFile)('sh', ['-euc', block], { cwd, timeout: PATIENCE_MS })).stdout
}

test('the first start prints a key once and one block of commands that works in any shell', async () => {
  const gateway = await start(dataFolder())
  const folder = dataFolder()
  const written = await pasteBlock(gateway, folder)
  expect(written).toMatch(/clip\.mp4\n\{.*"text":"You said: Which way does the water go\?".*\}\n$/)
  expect(readFileSync(join(folder, 'clip.mp4')).toString('latin1', 4, 8)).toBe('ftyp')
  expect(await call(`${gateway.baseUrl}/openapi.json`)).toMatchObject({ status: 200 })
})

test('a link to a clip of the sandbox works after a restart', async () => {
  const gateway = await start(dataFolder())
  await pasteBlock(gateway, dataFolder())
  const key = gateway.output().match(KEY)?.[0]
  const tasks = `${gateway.baseUrl}/v1/video/generations`
  const [{ id }] = Object((await call(tasks, key)).body).data
  const { content } = Object((await call(`${tasks}/${id}`, key)).body)
  await gateway.kill('SIGTERM')
  await gateway.restart()
  expect((await fetch(content.video_url)).status).toBe(200)
})

test('the second start finds the same data and makes no second demo', async () => {
  const dataDir = dataFolder()
  const gateway = await start(dataDir)
  const key = gateway.output().match(KEY)?.[0]
  expect(await gateway.kill('SIGTERM')).toEqual({ code: 0, signal: null })

  const firstOutput = gateway.output().length
  await gateway.restart()
  await expect.poll(() => gateway.output().slice(firstOutput)).toMatch(/Reference: http/)
  expect(gateway.output().slice(firstOutput)).not.toMatch(KEY)
  expect(await call(`${gateway.baseUrl}/v1/models`, key)).toMatchObject({ status: 200 })
  expect(await runSluice<unknown[]>(['org', 'list'], { DATA_DIR: dataDir })).toHaveLength(1)
})

test('no key and no secret appears in the log, the metrics or the store', async () => {
  const dataDir = dataFolder()
  const gateway = await start(dataDir)
  const key = gateway.output().match(KEY)?.[0] ?? ''
  await call(`${gateway.baseUrl}/v1/models?key=${key}`, key)
  await call(`${gateway.baseUrl}/v1/nothing/${key}`, `${key}x`)
  await call(`${gateway.baseUrl}/v1/video/generations?cursor=${key}`, key)
  const { body } = await import('undici').then(({ request }) => request(`${gateway.baseUrl}/metrics`))
  const metrics = await body.text()
  await gateway.kill('SIGTERM')

  const logged = gateway
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(logged.some((line) => line.includes('listModels'))).toBe(true)
  const secret = readFileSync(join(dataDir, 'secret'), 'utf8').trim()
  const places = {
    log: logged.join('\n'),
    metrics,
    store: readFileSync(join(dataDir, 'sluice.db'), 'latin1'),
  }
  for (const [place, text] of Object.entries(places)) {
    expect(text.includes(key), `the key in the ${place}`).toBe(false)
    expect(text.includes(secret), `the secret in the ${place}`).toBe(false)
    expect(text.includes('whsec_'), `a webhook secret in the ${place}`).toBe(false)
  }
})
