import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { runClient } from './run-client.ts'

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  return () => gateway.close()
})

test.each([
  ['a chat model', 'vendorC/model-4.1'],
  ['a responses model', 'vendorC/model-o4-mini'],
  ['a messages model', 'vendorD/text-large'],
])('Qwen Code through %s writes a file', async (_, model) => {
  const file = join(gateway.workplace, `${model.replace('/', '-')}.txt`)
  const call = JSON.stringify({ file_path: file, content: 'Hello from Qwen Code' })
  const program = join(inject('clientsFolder'), 'qwenCode/node_modules/@qwen-code/qwen-code/cli-entry.js')
  const run = await runClient(gateway, {
    words: [program, '--auth-type', 'openai', '--yolo', '-p', `Please [call write_file ${call}]`],
    env: { OPENAI_API_KEY: gateway.key, OPENAI_BASE_URL: `${gateway.baseUrl}/v1`, OPENAI_MODEL: model },
  })
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(readFileSync(file, 'utf8')).toBe('Hello from Qwen Code')
  for (const { outcome } of await gateway.usage(model)) expect(outcome).toBe('completed')
})

test('no request was refused', async () => {
  await gateway.stop()
  expect(gateway.refusals()).toEqual([])
})
