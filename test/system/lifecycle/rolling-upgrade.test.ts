import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from './data-folder.ts'
import { runSluice } from './run-sluice.ts'
import { scaledEnvironment } from './scaled-environment.ts'
import { type SteadyClients, steadyClients, TEXT_REQUEST } from './steady-clients.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 300_000 })

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const RELEASED = '0.2.0'
const CREDIT_MICROS = 1_000_000_000
const REQUESTS_EACH = 50

/**
 * Checks out the sources of a release from the history of this repository, with today's packages, so that no test needs
 * the network. 0.2.0 serves by Fastify, which is a development dependency only for this.
 */
function checkOutRelease(version: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  // The search finds the commit that introduced this version, and then the commit that replaced it.
  const search = ['--reverse', '--format=%H', `-S"version": "${version}"`]
  const [commit] = git('log', ...search, '--', 'package.json').split('\n')
  if (!commit) throw new Error(`The history has no commit of version ${version}; a full clone is needed.`)
  const folder = join(dataFolder(), 'release')
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test(`replicas of ${RELEASED} are replaced one by one during traffic: each request is served once and charged once`, async () => {
  const released = checkOutRelease(RELEASED)
  const env = await scaledEnvironment()
  const running = new Map<GatewayProcess, SteadyClients>()
  const ended: SteadyClients[] = []
  const replicas: GatewayProcess[] = []
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()))
  })
  const start = async (folder: string) => {
    const replica = await startGateway({ env, args: [join(folder, 'bin/sluice.js'), 'serve'] })
    replicas.push(replica)
    return replica
  }

  const old = [await start(released), await start(released)]
  const run = <T>(...words: string[]) => runSluice<T>(words, env)
  const { key, org } = await makeCustomer(join(released, 'bin/sluice.js'), env)
  const serve = (replica: GatewayProcess) =>
    void running.set(
      replica,
      steadyClients({ baseUrl: replica.baseUrl, key, count: 2, request: TEXT_REQUEST }),
    )
  const leave = async (replica: GatewayProcess) => {
    const clients = running.get(replica)
    await clients?.stop()
    running.delete(replica)
    if (clients !== undefined) ended.push(clients)
    expect(await replica.kill('SIGTERM')).toMatchObject({ code: 0 })
  }
  const serveMore = async () => {
    const goals = [...running.values()].map((clients) => ({
      clients,
      goal: clients.answered() + REQUESTS_EACH,
    }))
    await expect
      .poll(() => goals.every(({ clients, goal }) => clients.answered() >= goal), { timeout: 60_000 })
      .toBe(true)
  }

  for (const replica of old) serve(replica)
  await serveMore()
  for (const replica of old) {
    // The first new replica changes the tables while the old ones serve.
    serve(await start(ROOT))
    await serveMore()
    await leave(replica)
    await serveMore()
  }
  for (const replica of [...running.keys()]) await leave(replica)

  expect(ended.flatMap((clients) => clients.failures)).toEqual([])
  const answered = ended.reduce((sum, clients) => sum + clients.answered(), 0)
  const { requests, cost } = await sumUsage(env.DATABASE_URL)
  expect(requests).toBe(answered)
  expect(await run('credit', 'show', '--org', org)).toMatchObject({
    balance_micros: CREDIT_MICROS - cost,
    held_micros: 0,
  })
  expect(await run('ledger', 'check')).toMatchObject({ ok: true, violations: [] })
  console.log(
    `rolling upgrade from ${RELEASED}: ${answered} requests served, ${cost} micro-USD charged, 0 lost`,
  )
})

/** Makes a customer with the command line of the release, which also made the tables. */
async function makeCustomer(
  program: string,
  env: Record<string, string>,
): Promise<{ org: string; key: string }> {
  const run = (...words: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [program, ...words, '--json'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, SANDBOX: 'on', ...env },
      }),
    )
  const { id: org } = run('org', 'create', '--name', 'life', '--prepaid')
  const { id: user } = run('user', 'create', '--org', org)
  run('credit', 'add', '--org', org, '--usd', String(CREDIT_MICROS / 1_000_000))
  const { key } = run('key', 'create', '--org', org, '--user', user)
  return { org, key }
}

async function sumUsage(url: string): Promise<{ requests: number; cost: number }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select count(*) as requests, sum(cost_micros) as cost from text_usage')
  await client.end()
  return { requests: Number(rows[0].requests), cost: Number(rows[0].cost) }
}
