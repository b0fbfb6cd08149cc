import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makeVideo } from './make-video.ts'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { PICTURE } from './picture.ts'
import { type ClientRun, runClient } from './run-client.ts'

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  writeFileSync(join(gateway.workplace, 'picture.png'), PICTURE)
  return () => gateway.close()
})

/** Uses the settings of `docs/clients.md`, and disables all calls to other servers. */
function claude(model: string, prompt: string, ...more: string[]): Promise<ClientRun> {
  const program = join(
    inject('clientsFolder'),
    'claudeCode/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs',
  )
  return runClient(gateway, {
    words: [program, '-p', '--permission-mode', 'acceptEdits', ...more, prompt],
    env: {
      ANTHROPIC_BASE_URL: gateway.baseUrl,
      ANTHROPIC_AUTH_TOKEN: gateway.key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'vendorD/text-small',
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '200000',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  })
}

const LOST = ['defer_loading', 'context_management', 'cache_control']

describe.each([
  { model: 'vendorD/text-large', way: 'a messages model', losses: [] },
  { model: 'vendorC/model-4.1', way: 'a chat model', losses: LOST },
  { model: 'vendorC/model-5.3-codex', way: 'a responses model', losses: LOST },
])('Claude Code through $way', ({ model, losses }) => {
  test('writes a file', async () => {
    const file = `${model.replace('/', '-')}.txt`
    const run = await claude(model, `Please [write ${file} Hello from Claude Code]`)
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(readFileSync(join(gateway.workplace, file), 'utf8')).toBe('Hello from Claude Code')
    const usage = await gateway.usage(model)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
    for (const row of usage) {
      expect(row.input).toBeGreaterThan(1_000)
      expect(row.output).toBeGreaterThan(0)
      expect(row.losses).toEqual(expect.arrayContaining(losses))
      if (losses.length === 0) expect(row.losses).toEqual([])
    }
  })

  test('calls two tools in one turn, thinks, looks at a picture and goes on with the conversation', async () => {
    const before = (await gateway.usage(model)).length
    const picture = JSON.stringify({ file_path: join(gateway.workplace, 'picture.png') })
    const command = JSON.stringify({ command: 'echo one', description: 'Says one' })
    const first = await claude(model, `[reason] [sign] [call Bash ${command}] [call Read ${picture}]`)
    expect(first).toMatchObject({ code: 0, stdout: 'Done.\n' })
    const second = await claude(model, '[reason] And again', '--continue')
    expect(second).toMatchObject({ code: 0, stdout: 'You said: And again\n' })
    const usage = (await gateway.usage(model)).slice(before)
    expect(usage.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed'])
  })

  test('counts tokens', async () => {
    const run = await claude(model, '/context')
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/System tools \| [\d.]+k/) })
  })

  test('understands that the conversation is too long', async () => {
    const run = await claude(model, '[too-long]')
    expect(run).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Prompt is too long/) })
  })

  test('reports a failure as a failure', async () => {
    const before = gateway.refusals().length
    const run = await claude(model, '[overloaded]')
    expect(run.code).toBe(1)
    await expect.poll(() => gateway.refusals().length).toBeGreaterThan(before)
  })
})

test('Claude Code makes a video over MCP', async () => {
  const file = join(gateway.home, 'mcp.json')
  const headers = { authorization: `Bearer ${gateway.key}` }
  const server = { type: 'http', url: `${gateway.baseUrl}/mcp`, headers }
  writeFileSync(file, JSON.stringify({ mcpServers: { sluice: server } }))
  // Tools of MCP servers are otherwise found by a search, which the sandbox's models do not make.
  const settings = JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } })
  const servers = ['--mcp-config', file, '--strict-mcp-config', '--allowedTools=mcp__sluice']
  await makeVideo(gateway, (name, input) =>
    claude('vendorD/text-large', `[call mcp__sluice__${name} ${input}]`, ...servers, '--settings', settings),
  )
})

test('no request of Claude Code was refused except the ordered failures, and no other server was called', async () => {
  // Every refused request had reached a vendor: there are as many usage rows as answers.
  await gateway.usage('')
  await gateway.stop()
  // Claude Code first asks for a newer protocol at /mcp.
  for (const refusal of gateway.refusals()) expect(refusal).toMatch(/^(createMessage (529|400)|mcp 400) /)
  expect(gateway.outside).toEqual([])
})
