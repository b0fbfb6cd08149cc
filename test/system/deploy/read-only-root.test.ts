import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** The program's folder cannot be written to, as in a container with a read-only root. */
const SCRIPT = `
mount --bind "$PWD" "$PWD" && mount -o remount,ro,bind "$PWD" && cd "$PWD" || exit 9
touch written 2>/dev/null && exit 8
exec "$NODE" bin/sluice.js serve
`

test('the gateway starts, serves a text request and stops on a read-only root', async () => {
  const port = await freePort()
  const gateway = spawn('unshare', ['--map-root-user', '--mount', 'bash', '-c', SCRIPT], {
    cwd: REPOSITORY,
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, DATA_DIR: dataFolder(), PORT: String(port) },
      ...{ SLUICE_CONFIG: NO_PROVIDERS, SANDBOX: 'on', SHUTDOWN_GRACE_MS: '1000', LOG_LEVEL: 'warn' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  const ended = once(gateway, 'exit')
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const baseUrl = `http://127.0.0.1:${port}`
  const isReady = async () => (await request(`${baseUrl}/readyz`).catch(() => undefined))?.statusCode
  await expect.poll(isReady, { timeout: 60_000 }).toBe(200)
  await expect.poll(() => written).toMatch(/sk-sluice-[\w-]{48,}/)
  const [key = ''] = written.match(/sk-sluice-[\w-]{48,}/) ?? []
  const { statusCode } = await request(`${baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'vendorD/text-large',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  })
  expect(statusCode).toBe(200)
  gateway.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(written).not.toMatch(/EROFS|read-only/i)
})
