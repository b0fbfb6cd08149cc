import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makeVideo } from './make-video.ts'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { PICTURE } from './picture.ts'
import { type ClientRun, runClient } from './run-client.ts'

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  mkdirSync(join(gateway.home, '.codex'))
  writeFileSync(join(gateway.home, '.codex/config.toml'), configOf(gateway.baseUrl))
  writeFileSync(join(gateway.workplace, 'picture.png'), PICTURE)
  return () => gateway.close()
})

/** Uses the settings of `docs/clients.md`, and disables all calls to other servers. */
function configOf(baseUrl: string): string {
  return `
model_provider = "sluice"
check_for_update_on_startup = false

[model_providers.sluice]
name = "Sluice"
base_url = "${baseUrl}/v1"
wire_api = "responses"
env_key = "SLUICE_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[features]
plugins = false

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"
`
}

function program(): string {
  return join(inject('clientsFolder'), 'codex/node_modules/@openai/codex/bin/codex.js')
}

function codex(model: string, prompt: string, ...more: string[]): Promise<ClientRun> {
  const options = ['--strict-config', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
  return runClient(gateway, {
    words: [program(), 'exec', ...options, '-m', model, ...more, prompt],
    env: { SLUICE_API_KEY: gateway.key },
  })
}

/** Copies a model of Codex under the name of ours, because Codex offers tools by the model name. */
async function catalogAs(known: string, model: string): Promise<string> {
  const { stdout } = await runClient(gateway, { words: [program(), 'debug', 'models'] })
  const { models }: { models: { slug: string }[] } = JSON.parse(stdout)
  const template = models.find(({ slug }) => slug === known)
  if (template === undefined) throw new Error(`Codex does not know ${known}`)
  const file = join(gateway.home, `${known}.json`)
  writeFileSync(file, JSON.stringify({ models: [{ ...template, slug: model, display_name: model }] }))
  return `model_catalog_json=${JSON.stringify(file)}`
}

const LOST = ['namespace_description', 'web_search']

describe.each([
  { model: 'vendorC/model-5.3-codex', way: 'a native model', losses: [] },
  { model: 'vendorC/model-4.1', way: 'a chat model', losses: LOST },
  { model: 'vendorD/text-large', way: 'a messages model', losses: LOST },
])('Codex CLI through $way', ({ model, losses }) => {
  test('writes a file', async () => {
    const file = `${model.replace('/', '-')}.txt`
    const run = await codex(model, `Please [write ${file} Hello from Codex]`)
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(readFileSync(join(gateway.workplace, file), 'utf8')).toBe('Hello from Codex\n')
    const usage = await gateway.usage(model)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
    for (const row of usage) {
      expect(row.input).toBeGreaterThan(1_000)
      expect(row.output).toBeGreaterThan(0)
      expect(row.losses).toEqual(expect.arrayContaining(losses))
      if (losses.length === 0) expect(row.losses).toEqual([])
    }
  })

  test.each([
    { known: 'gpt-5.5', way: 'a free-form tool' },
    { known: 'gpt-6-astra', way: 'code, with tools that stand in the conversation' },
  ])('writes a file with $way', async ({ known }) => {
    const file = `${known}-${model.replace('/', '-')}.txt`
    const catalog = await catalogAs(known, model)
    const run = await codex(model, `[reason] [write ${file} Hello from Codex]`, '-c', catalog)
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(readFileSync(join(gateway.workplace, file), 'utf8')).toBe('Hello from Codex\n')
    const usage = (await gateway.usage(model)).slice(-2)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
    for (const row of usage) expect(row.losses.includes('tool_grammar')).toBe(losses.length > 0)
  })

  test('writes a file over a WebSocket, where each turn after the first sends only new items', async () => {
    const before = (await gateway.usage(model)).length
    const file = `socket-${model.replace('/', '-')}.txt`
    const sockets = 'model_providers.sluice.supports_websockets=true'
    const run = await codex(model, `Please [write ${file} Hello from Codex]`, '-c', sockets)
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(readFileSync(join(gateway.workplace, file), 'utf8')).toBe('Hello from Codex\n')
    const usage = (await gateway.usage(model)).slice(before)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
    expect(gateway.upgrades()).toBeGreaterThan(0)
  })

  test('calls several tools in one turn, thinks, looks at a picture and goes on with the conversation', async () => {
    const before = (await gateway.usage(model)).length
    const calls = '[call exec_command {"cmd":"echo one"}] [call exec_command {"cmd":"echo two"}]'
    const first = await codex(model, `[reason] [sign] ${calls} [call view_image {"path":"picture.png"}]`)
    expect(first).toMatchObject({ code: 0, stdout: 'Done.\n' })
    for (const word of ['one', 'two'])
      expect(first.stderr).toMatch(new RegExp(`succeeded in \\d+ms:\n${word}\n`))
    const second = await codex(model, '[reason] And again', 'resume', '--last')
    expect(second).toMatchObject({ code: 0, stdout: 'You said: And again\n' })
    const usage = (await gateway.usage(model)).slice(before)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed'])
  })

  test('reports a failure as a failure', async () => {
    const before = gateway.refusals().length
    const refused = await codex(model, '[overloaded]')
    expect(refused.code).toBe(1)
    await expect.poll(gateway.refusals).toHaveLength(before + 1)
    const broken = await codex(model, '[count 50] [cut 20]')
    expect(broken.code).toBe(1)
    // Codex leaves before the gateway has written the row of a broken reply.
    const outcomes = async () => (await gateway.usage(model)).slice(-2).map(({ outcome }) => outcome)
    await expect.poll(outcomes).toEqual(['failed', 'failed'])
  })
})

test('Codex CLI makes a video over MCP', async () => {
  const server = `mcp_servers.sluice={url="${gateway.baseUrl}/mcp",bearer_token_env_var="SLUICE_API_KEY"}`
  await makeVideo(gateway, (name, input) =>
    codex('vendorC/model-5.3-codex', `[call ${name} ${input}]`, '-c', server),
  )
})

test('no request of Codex CLI was refused except the ordered failures, and no other server was called', async () => {
  await gateway.stop()
  expect(gateway.refusals()).toEqual(Array(3).fill(expect.stringMatching(/^createResponse 529 /)))
  expect(gateway.outside).toEqual([])
})
