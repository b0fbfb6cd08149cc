import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from '../lifecycle/call.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'

const COMPOSE = parse(readFileSync(new URL('../../../compose.yaml', import.meta.url), 'utf8'))

test('compose.yaml gives the gateway its providers and their keys', () => {
  const { services, configs } = COMPOSE
  const { environment, configs: mounted, env_file: files } = services.sluice
  expect(mounted).toEqual([{ source: 'providers', target: environment.SLUICE_CONFIG }])
  expect(configs.providers).toEqual({ file: './sluice.yaml' })
  expect(files).toEqual(['.env'])
  // An internal network would cut the way to the vendors.
  expect(services.sluice.networks ?? services.sluice.network_mode).toBeUndefined()
})

test('the files of init --compose start the gateway twice on the same data, with sandbox and console', async () => {
  const folder = dataFolder()
  const init = () =>
    runSluice<{ written: string[]; kept: string[] }>(['init', '--compose', '--dir', folder], {})
  const names = ['.env', 'sluice.yaml', 'compose.yaml'].map((name) => join(folder, name))
  expect(await init()).toMatchObject({ written: names, kept: [] })
  const first = readFileSync(join(folder, '.env'), 'utf8')
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  expect(await init()).toMatchObject({ written: [], kept: names })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(first)

  const env = await composeEnvironment(folder)
  const gateway = await startGateway({ env, args: ['bin/sluice.js', ...COMPOSE.services.sluice.command] })
  onTestFinished(async () => void (await gateway.stop()))
  const { id } = await runSluice<{ id: string }>(['org', 'create', '--name', 'first', '--prepaid'], env)
  await runSluice(['credit', 'add', '--org', id, '--usd', '5'], env)
  const user = await runSluice<{ id: string }>(['user', 'create', '--org', id], env)
  const { key } = await runSluice<{ key: string }>(['key', 'create', '--org', id, '--user', user.id], env)
  expect(await call(`${gateway.baseUrl}/v1/models`, key)).toMatchObject({ status: 200 })
  expect((await fetch(`${gateway.baseUrl}/console/`)).status).toBe(200)
  const signIn = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ key: env.ADMIN_API_KEY })
  expect((await fetch(`${gateway.baseUrl}/admin/v1/session`, { ...signIn, body })).status).toBe(200)

  const input = 'models: [{ model_id: 77, name: vendorD/added, max_output_tokens: 100, prices: [] }]'
  const applied = execFileSync(process.execPath, ['bin/sluice.js', 'apply', '-', '--json'], { env, input })
  expect(JSON.parse(String(applied))).toMatchObject([{ model_id: 77, change: 'new' }])

  await gateway.stop()
  await gateway.restart()
  expect(await call(`${gateway.baseUrl}/v1/models`, key)).toMatchObject({ status: 200 })
  expect(await runSluice(['org', 'show', id], env)).toMatchObject({ balance_micros: 5_000_000 })
})

/** Variables of the container: those of .env, and of the file with the addresses of its servers replaced. */
async function composeEnvironment(folder: string): Promise<Record<string, string>> {
  const written = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>
  const { environment } = COMPOSE.services.sluice
  expect(Object.keys(environment)).toEqual(['DATABASE_URL', 'REDIS_URL', 'SLUICE_CONFIG'])
  const { DATABASE_URL, REDIS_URL } = await scaledEnvironment()
  return { ...written, DATABASE_URL, REDIS_URL, SLUICE_CONFIG: join(folder, 'sluice.yaml') }
}
