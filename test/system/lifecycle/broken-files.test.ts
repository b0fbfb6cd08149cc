import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { makeTenant, runSluice } from './run-sluice.ts'
import { runToItsEnd } from './run-to-its-end.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 600_000 })

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const PAGE_BYTES = 4_096
const REFUSED = { code: 1, output: expect.stringContaining('The store is not available.') }
/** Results of a damaged row: a missing key, or an error of the store. */
const STATUSES = [200, 401, 402, 503]

/** A store with one customer, closed, so that all of it is in the one file. */
async function closedStore(): Promise<{ dataDir: string; file: string; key: string }> {
  const dataDir = dataFolder()
  const gateway = await startGateway({ env: { DATA_DIR: dataDir, SANDBOX_PORT: '0' } })
  const { key } = await makeTenant({ DATA_DIR: dataDir })
  await gateway.stop()
  return { dataDir, file: join(dataDir, 'sluice.db'), key }
}

function overwrite(file: string, bytes: Uint8Array, at: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

test('a broken or cut database file: the start reports it, ends with 1, and leaves the file unchanged', async () => {
  const { dataDir, file } = await closedStore()
  const whole = readFileSync(file)
  const broken = {
    'file is not a database': Buffer.concat([Buffer.alloc(100, 'x'), whole.subarray(100)]),
    'database disk image is malformed': whole.subarray(0, PAGE_BYTES * 20),
  }
  for (const [reason, bytes] of Object.entries(broken)) {
    writeFileSync(file, bytes)
    const ended = await runToItsEnd(['serve'], { DATA_DIR: dataDir })
    expect(ended).toMatchObject(REFUSED)
    expect(ended.output).toContain(reason)
    expect(readFileSync(file)).toEqual(Buffer.from(bytes))
  }
  writeFileSync(file, whole)
  expect(await runSluice(['ledger', 'check'], { DATA_DIR: dataDir })).toMatchObject({ ok: true })
})

test('a read-only folder: the start reports it and ends with 1, and the store stays whole', async () => {
  const { dataDir, file } = await closedStore()
  const whole = readFileSync(file)
  const script = `
    mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,ro,bind "$DATA_DIR" || exit 9
    exec "$NODE" bin/sluice.js serve`
  const child = spawn('unshare', ['--map-root-user', '--mount', 'bash', '-c', script], {
    cwd: REPOSITORY,
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, DATA_DIR: dataDir, PORT: '0' },
      ...{ SLUICE_CONFIG: NO_PROVIDERS, SANDBOX: 'on', SANDBOX_PORT: '0' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  expect({ code, output }).toMatchObject(REFUSED)
  expect(readFileSync(file)).toEqual(whole)
  expect(await runSluice(['ledger', 'check'], { DATA_DIR: dataDir })).toMatchObject({ ok: true })
})

const ROUNDS = roundsOf({ slice: 3, whole: 25 })

test(`damaged pages, ${ROUNDS} times: a start is refused or answers have our envelope, and a copy of the file restores all rows`, async () => {
  const random = seededRandom(seedOfRun())
  const { dataDir, file, key } = await closedStore()
  const whole = readFileSync(file)
  const env = { DATA_DIR: dataDir, SANDBOX_PORT: '0' }
  const seen = { refusedStarts: 0, answers: 0, unavailable: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    writeFileSync(file, whole)
    for (let left = random.integer(1, 3); left > 0; left -= 1) {
      const noise = Uint8Array.from({ length: random.integer(8, 1_000) }, () => random.integer(0, 255))
      // The first page stays whole, because no server would start without it.
      overwrite(file, noise, random.integer(PAGE_BYTES, whole.length - noise.length))
    }
    const gateway = await startGateway({ env }).catch((error: Error) => error)
    if (gateway instanceof Error) {
      expect(gateway.message).toContain('The store is not available.')
      seen.refusedStarts += 1
      continue
    }
    for (const status of await askAll(gateway, key)) {
      expect(STATUSES).toContain(status)
      seen.answers += 1
      if (status === 503) seen.unavailable += 1
    }
    await gateway.stop()
  }
  for (const journal of ['-wal', '-shm']) writeFileSync(`${file}${journal}`, '')
  writeFileSync(file, whole)
  expect(await runSluice(['ledger', 'check'], { DATA_DIR: dataDir })).toMatchObject({ ok: true })
  reportFigure(`damaged SQLite files: ${ROUNDS} files, ${JSON.stringify(seen)}, 0 other statuses`)
})

/** Each answer must be JSON with our error in it, or a success. */
async function askAll({ baseUrl }: GatewayProcess, key: string): Promise<number[]> {
  const paths = ['/v1/models', '/v1/video/generations', '/v1/usage', '/v1/video/generations/task_none']
  const answers = await Promise.all(paths.map((path) => call(`${baseUrl}${path}`, key)))
  return answers.map(({ status, body }, place) => {
    if (status !== 200) expect(body).toMatchObject({ error: expect.anything() })
    return status === 404 && place === 3 ? 200 : status
  })
}
