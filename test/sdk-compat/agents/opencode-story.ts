import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { type ClientRun, runClient } from './run-client.ts'

const MODELS = [
  ['a chat model', 'vendorC/model-4.1'],
  ['a responses model', 'vendorC/model-o4-mini'],
  ['a messages model', 'vendorD/text-large'],
] as const

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  writeFileSync(join(gateway.workplace, 'opencode.json'), configOf(gateway.baseUrl))
  return () => gateway.close()
})

/** Uses the settings of `docs/clients.md`, and disables all calls to other servers. */
function configOf(baseUrl: string): string {
  const models = Object.fromEntries(MODELS.map(([, model]) => [model, { name: model }]))
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    small_model: 'sluice/vendorC/model-4.1-mini',
    provider: {
      sluice: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Sluice',
        options: { baseURL: `${baseUrl}/v1`, apiKey: '{env:SLUICE_API_KEY}' },
        models: { ...models, 'vendorC/model-4.1-mini': { name: 'small' } },
      },
    },
  })
}

/** The package with the binary of this machine; the launcher would need an install script. */
function program(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return join(
    inject('clientsFolder'),
    `openCode/node_modules/opencode-${system}-${process.arch}/bin/opencode`,
  )
}

function opencode(model: string, prompt: string, ...more: string[]): Promise<ClientRun> {
  return runClient(gateway, {
    program: program(),
    words: ['run', '--auto', '-m', `sluice/${model}`, ...more, prompt],
    env: {
      SLUICE_API_KEY: gateway.key,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
  })
}

test.each(MODELS)('OpenCode through %s writes a file and goes on with the conversation', async (_, model) => {
  const file = join(gateway.workplace, `${model.replace('/', '-')}.txt`)
  const first = await opencode(model, `Please [write ${file} Hello from OpenCode]`)
  expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
  expect(readFileSync(file, 'utf8')).toBe('Hello from OpenCode')
  const second = await opencode(model, 'And again', '--continue')
  expect(second, second.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('And again') })
  for (const { outcome } of await gateway.usage(model)) expect(outcome).toBe('completed')
})

test('no request was refused, and no server was called but the registry of its plugin', async () => {
  await gateway.stop()
  expect(gateway.refusals()).toEqual([])
  expect(gateway.outside.filter((wanted) => wanted !== 'CONNECT registry.npmjs.org:443')).toEqual([])
})
