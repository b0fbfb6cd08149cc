import { DIALECT_NAMES, type Dialect } from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { FAILING, type FixtureVendor, startFixtureVendor, wellEnded } from './fixture-vendor.ts'
import { type JudgedGateway, startJudgedGateway } from './start-judged-gateway.ts'
import { type Sample, typeFaults } from './type-faults.ts'

/*
 * Every object that the gateway makes, and that the sandbox makes as a vendor, held against the types of the newest SDKs:
 * what a type requires is there, if only as null. Recorded replies are asked for where they are converted.
 */

let sandbox: Sandbox
let vendor: FixtureVendor
let native: JudgedGateway
let recorded: JudgedGateway
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, speed: 1, nowMs: systemClock.nowMs })
  vendor = await startFixtureVendor()
  native = await startJudgedGateway(`${sandbox.url}/text`)
  recorded = await startJudgedGateway(vendor.url, 3)
})
afterAll(async () => {
  await native.close()
  await recorded.close()
  await vendor.close()
  await sandbox.close()
})

const PROMPTS = ['Greet me.', '[reason] Think.', '[call look {"a":1}]', '[refuse]', '[filter]']
const SCHEMA = { type: 'object', properties: {} }

interface Wire {
  path: string
  body(prompt: string): object
  /** Additional fields for a stream. */
  streamed?: object
  whole: string
  /** The type of an event, by its member `type`. */
  event(type: unknown): string
}

const WIRES: Readonly<Record<Dialect, Wire>> = {
  messages: {
    path: '/v1/messages',
    body: (prompt) => ({
      ...{ max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_024 } },
      messages: [{ role: 'user', content: prompt }],
      tools: [{ name: 'look', input_schema: SCHEMA }],
    }),
    whole: 'Messages.Message',
    event: (type) => `Extract<Messages.RawMessageStreamEvent, { type: '${type}' }>`,
  },
  responses: {
    path: '/v1/responses',
    body: (prompt) => ({
      ...{ input: prompt, store: false, reasoning: { effort: 'low', summary: 'auto' } },
      tools: [{ type: 'function', name: 'look', parameters: SCHEMA }],
    }),
    whole: 'Responses.Response',
    event: (type) => `Extract<Responses.ResponseStreamEvent, { type: '${type}' }>`,
  },
  chat: {
    path: '/v1/chat/completions',
    body: (prompt) => ({
      messages: [{ role: 'user', content: prompt }],
      tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
    }),
    streamed: { stream_options: { include_usage: true } },
    whole: 'Completions.ChatCompletion',
    event: () => 'Completions.ChatCompletionChunk',
  },
}

test.each(DIALECT_NAMES)('clients of %s find every member that their SDK requires', async (endpoint) => {
  const samples: Sample[] = []
  for (const dialect of DIALECT_NAMES) {
    samples.push(...(await samplesOf(native, PROMPTS, { endpoint, model: `native0/${dialect}` })))
    if (dialect === endpoint) continue
    const recordings = [...wellEnded(dialect), ...FAILING[dialect]].map((name) => `play:${name}`)
    samples.push(...(await samplesOf(recorded, recordings, { endpoint, model: `native0/${dialect}` })))
  }
  expect(typeFaults(samples)).toEqual([])
})

test('a missing member, or a member of another type, is found', () => {
  const value = { input_tokens: 1, output_tokens: '1' }
  const [fault, ...others] = typeFaults([
    {
      title: 'good',
      type: 'Responses.ResponseOutputRefusal',
      value: { type: 'refusal', refusal: 'No.', more: 1 },
    },
    { title: 'bad', type: 'Messages.Usage', value },
  ])
  expect(fault).toMatch(/^bad: .* is missing the following properties from type 'Usage': cache_creation, /s)
  expect(others).toEqual([])
})

interface Asked {
  endpoint: Dialect
  model: string
}

/** Every object of the replies to these prompts, whole and streamed. Deltas that differ in their text alone count once. */
async function samplesOf(
  gateway: JudgedGateway,
  prompts: readonly string[],
  { endpoint, model }: Asked,
): Promise<Sample[]> {
  const { path, body, streamed, whole, event } = WIRES[endpoint]
  const samples = new Map<string, Sample>()
  const add = (title: string, type: string, value: unknown) => {
    const shape = JSON.stringify(value, (_key, inner) => (typeof inner === 'string' ? '' : inner))
    samples.set(`${type} ${shape}`, { title: `${model} ${title}`, type, value })
  }
  for (const prompt of prompts) {
    const post = (stream: boolean) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${gateway.key}`, 'anthropic-version': '2023-06-01' },
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...body(prompt), ...(stream && streamed), model, stream }),
      })
    if (!isFailing(prompt)) {
      const reply = await post(false)
      expect({ prompt, model, status: reply.status }).toMatchObject({ status: 200 })
      add(`${prompt} whole`, whole, await reply.json())
    }
    for (const data of (await (await post(true)).text()).matchAll(/^data: (\{[^\n]*)$/gm)) {
      const value = JSON.parse(data[1] ?? '')
      if (!isOfNoType(endpoint, value)) add(`${prompt} ${value.type ?? 'chunk'}`, event(value.type), value)
    }
  }
  return [...samples.values()]
}

/** Whether the recording fails; there is no whole reply for such a recording. */
function isFailing(prompt: string): boolean {
  return Object.values(FAILING).some((names) => names.includes(prompt.slice('play:'.length)))
}

/** The SDKs handle these events before they look at their types. */
function isOfNoType(endpoint: Dialect, value: object & { type?: unknown }): boolean {
  return endpoint !== 'responses' && (value.type === 'ping' || 'error' in value)
}
