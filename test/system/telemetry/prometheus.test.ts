import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findPromtool, startPrometheus } from '../../servers/prometheus-server.ts'
import type { TestServer } from '../../servers/test-server.ts'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'

/** Time for real processes, and for the scrapes that Prometheus needs to compute a rate. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const RULES = fileURLToPath(new URL('../../../deploy/prometheus/rules.yaml', import.meta.url))
const DASHBOARDS = new URL('../../../deploy/grafana/', import.meta.url)

interface Panel {
  title: string
  targets: { expr: string }[]
}

const dashboards = readdirSync(DASHBOARDS).map((file) => {
  const { title, uid, panels } = Object(JSON.parse(readFileSync(new URL(file, DASHBOARDS), 'utf8')))
  return { file, title, uid, panels: panels as Panel[] }
})

const queries = dashboards.flatMap(({ file, panels }) =>
  panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`${file}: ${title}`, expr] as const)),
)

/** Warnings of promtool about names that stay. */
const KNOWN_WORDS = [
  // The client library writes these gauges, and dashboards for Node read them under these names.
  ...['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'].map(
    (name) => `${name} non-counter metrics should not have "_total" suffix`,
  ),
  // A gauge, because a summary has a sum and a count that Node does not give; rules and dashboards read its label.
  'sluice_event_loop_lag_seconds non-summary metrics should not have "quantile" label',
]

let gateway: GatewayProcess
let prometheus: TestServer
let key = ''
const folder = mkdtempSync(join(tmpdir(), 'sluice-prometheus-'))

beforeAll(async () => {
  gateway = await startGateway({ env: { DATA_DIR: folder, SANDBOX_SPEED: '600' } })
  const readKey = () => {
    const [printed] = /sk-sluice-[\w-]{48,}/.exec(gateway.output()) ?? []
    return printed ?? expect.fail('no key was printed yet')
  }
  key = await vi.waitFor(readKey, 60_000)
  prometheus = await startPrometheus({ targets: [`127.0.0.1:${gateway.port}`], rules: RULES })
})
afterAll(async () => {
  await prometheus?.remove()
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const post = (path: string, body: object) =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'compat-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })

/** Traffic of the README: text, whole and as a stream, a video to its end, and some errors. */
async function demoTraffic(): Promise<void> {
  const message = (content: string) => ({
    ...{ model: 'vendorD/text-large', max_tokens: 200 },
    messages: [{ role: 'user', content }],
  })
  const answers = [
    await post('/v1/messages', message('Which way does the water go?')),
    await post('/v1/responses', { model: 'vendorC/model-4.1', stream: true, input: 'Count. [count 5]' }),
    await post('/v1/messages', message('[fail]')),
    await post('/v1/messages', { ...message('x'), model: 'vendorD/none' }),
    await post('/v1/video/generations', {
      model: 'vendorA/gen-2.0',
      content: [{ type: 'text', text: 'A barge passes a lock at dawn' }],
    }),
  ]
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, expect.any(Number), 404, 200])
  const { id } = JSON.parse(bodies.at(-1) ?? '')
  const headers = { authorization: `Bearer ${key}` }
  const readTask = async () => {
    const answer = await fetch(`${gateway.baseUrl}/v1/video/generations/${id}`, { headers })
    expect(await answer.json()).toMatchObject({ status: 'succeeded' })
  }
  await vi.waitFor(readTask, { timeout: 60_000, interval: 200 })
}

async function ask(path: string): Promise<unknown> {
  const { status, data } = Object(await (await fetch(`${prometheus.url}/api/v1/${path}`)).json())
  expect(status).toBe('success')
  return data
}

test('promtool finds nothing wrong with the rules', () => {
  const said = execFileSync(findPromtool(), ['check', 'rules', RULES], { encoding: 'utf8' })
  expect(said).toContain('SUCCESS')
})

describe('after the demo traffic', () => {
  beforeAll(async () => {
    for (let round = 0; round < 3; round++) await demoTraffic()
  })

  test.each(queries)('%s has data', async (_name, expr) => {
    const query = expr.replaceAll('$__rate_interval', '1m')
    const countRows = async () => Object(await ask(`query?query=${encodeURIComponent(query)}`)).result.length
    await expect.poll(countRows, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0)
  })

  test('promtool finds nothing else than the known names wrong with the metrics', async () => {
    const input = await (await fetch(`${gateway.baseUrl}/metrics`)).text()
    expect(input).toMatch(/^sluice_/m)
    const { stdout, stderr } = spawnSync(findPromtool(), ['check', 'metrics'], { input, encoding: 'utf8' })
    const words = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
    expect([...new Set(words)].toSorted()).toEqual(KNOWN_WORDS.toSorted())
  })

  test('every rule is evaluated without an error, over metrics that exist', async () => {
    await expect
      .poll(async () => {
        const { groups } = Object(await ask('rules'))
        return groups.flatMap(({ rules }: { rules: { health: string }[] }) =>
          rules.map(({ health }) => health),
        )
      })
      .toEqual(Array.from(readFileSync(RULES, 'utf8').matchAll(/^ +- alert: /gm), () => 'ok'))
    const names = new Set(readFileSync(RULES, 'utf8').match(/\bsluice_\w+/g))
    const known = await ask('label/__name__/values')
    for (const name of names) expect(known).toContain(name)
  })

  test('the log has tokens and cost of each text reply, and the code of each error', async () => {
    const used =
      /"userId":"usr_\w+".*"servedBy":"vendorD\/text-large","provider":"vendorD","inputTokens":\d+,.*"costMicros":[1-9]/
    await expect.poll(() => gateway.output()).toMatch(used)
    expect(gateway.output()).toMatch(
      /"servedBy":"vendorC\/model-4.1","provider":"vendorC".*"costMicros":[1-9]/,
    )
    expect(gateway.output()).toMatch(/"status":404,.*"code":"model_not_found"/)
  })

  test('the gateway is up for Prometheus', async () => {
    expect(await ask('query?query=up')).toMatchObject({ result: [{ value: [expect.any(Number), '1'] }] })
  })
})
