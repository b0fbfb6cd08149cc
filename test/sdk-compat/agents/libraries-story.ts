import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'
import { type AgentGateway, openGateway } from './open-gateway.ts'
import { runClient } from './run-client.ts'

let gateway: AgentGateway

beforeAll(async () => {
  gateway = await openGateway()
  return () => gateway.close()
})

const NATIVE = 'vendorC/model-5.3-codex'
const CHAT = 'vendorC/model-4.1'
const MESSAGES = 'vendorD/text-large'
/** LangChain always calls the Responses API for models with codex in their names. */
const RESPONSES = 'vendorC/model-o4-mini'
const REASONING = 'The user said 5 characters. I shall answer briefly.'

test.each([
  { program: 'ai-sdk', wire: 'responses', model: NATIVE },
  { program: 'ai-sdk', wire: 'responses', model: CHAT },
  { program: 'ai-sdk', wire: 'responses', model: MESSAGES },
  { program: 'ai-sdk', wire: 'messages', model: MESSAGES },
  { program: 'ai-sdk', wire: 'messages', model: CHAT },
  { program: 'ai-sdk', wire: 'messages', model: NATIVE },
  { program: 'openai-agents', wire: 'responses', model: NATIVE },
  { program: 'openai-agents', wire: 'responses', model: CHAT },
  { program: 'openai-agents', wire: 'responses', model: MESSAGES },
  { program: 'langchain', wire: 'responses', model: NATIVE },
  { program: 'langchain', wire: 'responses', model: CHAT },
  { program: 'langchain', wire: 'responses', model: MESSAGES },
  { program: 'langchain', wire: 'messages', model: MESSAGES },
  { program: 'langchain', wire: 'messages', model: CHAT },
  { program: 'langchain', wire: 'messages', model: NATIVE },
  ...[CHAT, RESPONSES, MESSAGES].flatMap((model) => [
    // Only this client of chat completions reads the reasoning.
    { program: 'ai-sdk', wire: 'compatible', model },
    { program: 'ai-sdk', wire: 'chat', model, reasoning: undefined },
    { program: 'langchain', wire: 'chat', model, reasoning: '' },
    { program: 'openai-agents', wire: 'chat', model, reasoning: '' },
  ]),
])(
  '$program on $wire with $model: a text, a tool loop, a second turn, a stream',
  async ({ program, wire, model, ...shown }) => {
    const env = { BASE_URL: gateway.baseUrl, API_KEY: gateway.key, MODEL: model, WIRE: wire }
    const run = await runClient(gateway, { words: [placed(`${program}.mjs`)], env })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(JSON.parse(run.stdout)).toEqual({
      text: 'You said: Hello',
      reasoning: 'reasoning' in shown ? shown.reasoning : REASONING,
      calls: ['Oslo', 'Rome', 'Bern'],
      afterCalls: 'Done.',
      further: 'You said: And again',
      streamed: '1 2 3 4 5',
      streamedAfterCalls: 'Done.',
      endsWell: true,
      countsUsage: true,
    })
    for (const { outcome } of await gateway.usage(model)) expect(outcome).toBe('completed')
  },
)

test('no request was refused, and no other server was called', async () => {
  await gateway.stop()
  expect(gateway.refusals()).toEqual([])
  expect(gateway.outside).toEqual([])
})

/** Copies a program into the folder in which it finds its packages. */
function placed(program: string): string {
  const place = join(inject('clientsFolder'), 'libraries', program)
  copyFileSync(fileURLToPath(new URL(`./programs/${program}`, import.meta.url)), place)
  return place
}
