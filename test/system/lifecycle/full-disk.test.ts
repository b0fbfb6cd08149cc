import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { dataFolder } from './data-folder.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** A disk of 8 MB for this process and its children only; the shell fills and clears it on request. */
const SCRIPT = `
mount -t tmpfs -o size=8m tmpfs "$DATA_DIR"
"$NODE" bin/sluice.js serve &
gateway=$!
while read -r word; do
  if [ "$word" = fill ]; then dd if=/dev/zero of="$DATA_DIR/ballast" bs=4096 2>/dev/null; echo filled; fi
  if [ "$word" = clear ]; then rm "$DATA_DIR/ballast"; echo cleared; fi
done
kill "$gateway"; wait "$gateway"
`

test('GET /readyz 503 while the disk of the store is full, and 200 afterwards', async () => {
  const port = await freePort()
  const shell = spawn('unshare', ['--map-root-user', '--mount', 'bash', '-c', SCRIPT], {
    cwd: REPOSITORY,
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, DATA_DIR: dataFolder(), PORT: String(port) },
      ...{ SLUICE_CONFIG: NO_PROVIDERS, SANDBOX: 'on', SHUTDOWN_GRACE_MS: '1000' },
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(shell, 'exit')
  onTestFinished(async () => {
    shell.stdin.end()
    await ended
  })
  const readiness = async () => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/readyz`)
    return [statusCode, Object((await body.json()) as object).store]
  }
  const patiently = { timeout: 60_000 }
  await expect.poll(() => readiness().catch(() => 'not yet'), patiently).toEqual([200, 'up'])
  shell.stdin.write('fill\n')
  await expect.poll(() => said, patiently).toContain('filled')
  await expect.poll(readiness, patiently).toEqual([503, 'down'])
  shell.stdin.write('clear\n')
  await expect.poll(readiness, patiently).toEqual([200, 'up'])
})
