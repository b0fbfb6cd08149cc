import { expect, test } from 'vitest'
import { codeFor, KEY } from './code-for.ts'
import { DIALECTS, SseReader, type TextForm } from './dialects.ts'

const FORM: TextForm = {
  model: 'vendorD/text-large',
  system: '',
  turns: [],
  prompt: "Which way does the water's edge go?",
  maxTokens: 200,
  isStream: true,
  hasTool: false,
  image: '',
  temperature: '',
  effort: '',
}

test('a messages request has only the filled-in fields', () => {
  expect(DIALECTS.messages.body(FORM)).toEqual({
    model: 'vendorD/text-large',
    max_tokens: 200,
    stream: true,
    messages: [{ role: 'user', content: FORM.prompt }],
  })
})

test('a picture and a tool go into a responses request', () => {
  const body = DIALECTS.responses.body({ ...FORM, hasTool: true, image: 'data:image/png;base64,AA==' })
  expect(body).toMatchObject({
    input: [
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==' }, {}] },
    ],
    tools: [{ type: 'function', name: 'get_weather' }],
  })
})

test('a chat request asks for its usage, and its chunks add up', () => {
  expect(DIALECTS.chat.body({ ...FORM, system: 'Be brief.' })).toEqual({
    model: 'vendorD/text-large',
    max_completion_tokens: 200,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: FORM.prompt },
    ],
  })
  const chunks = [
    { choices: [{ delta: { role: 'assistant' } }] },
    { choices: [{ delta: { content: 'down' } }] },
    { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } },
  ]
  expect(chunks.map((chunk) => DIALECTS.chat.textOf(chunk)).join('')).toBe('down')
  expect(chunks.map((chunk) => DIALECTS.chat.tokensOf(chunk)).at(-1)).toEqual({ input: 9, output: 1 })
  expect(DIALECTS.chat.textOf({ choices: [{ message: { content: 'whole' } }] })).toBe('whole')
})

test('events that are cut anywhere are read whole, and comments are separate', () => {
  const text = 'event: a\ndata: {"delta":{"text":"water"}}\n\n: cost_usd=0.000112\n\ndata: [DONE]\n\n'
  const reader = new SseReader()
  const found = [...text].map((character) => reader.feed(character))
  expect(found.flatMap(({ events }) => events)).toEqual([{ delta: { text: 'water' } }])
  expect(found.flatMap(({ comments }) => comments)).toEqual(['cost_usd=0.000112'])
})

test.each(['curl', 'TypeScript', 'Python'] as const)(
  '%s code takes the key from the environment',
  (language) => {
    const headers = DIALECTS.responses.headers(KEY)
    const code = codeFor(language, {
      url: 'http://127.0.0.1/v1/responses',
      headers,
      body: DIALECTS.responses.body(FORM),
    })
    expect(code).toMatch(/\$SLUICE_API_KEY|env\.SLUICE_API_KEY|environ\['SLUICE_API_KEY'\]/)
    expect(code).toContain('/v1/responses')
  },
)

test('a quote in a prompt does not end the shell string', () => {
  const code = codeFor('curl', { url: 'http://x', headers: {}, body: { input: "water's" } })
  expect(code).toContain(`-d '{"input":"water'\\''s"}'`)
})

test.each([
  ['messages', { output_config: { effort: 'high' } }],
  ['responses', { reasoning: { effort: 'high' } }],
  ['chat', { reasoning_effort: 'high' }],
] as const)('%s has earlier turns, temperature and effort', (name, effort) => {
  const turns = [{ user: 'one?', assistant: 'one.' }]
  const body = DIALECTS[name].body({ ...FORM, turns, temperature: '0.2', effort: 'high' })
  expect(body).toMatchObject({ temperature: 0.2, ...effort })
  expect(body[name === 'responses' ? 'input' : 'messages']).toEqual([
    { role: 'user', content: 'one?' },
    { role: 'assistant', content: 'one.' },
    { role: 'user', content: FORM.prompt },
  ])
})

test.each([
  [
    'messages',
    "import Anthropic from '@anthropic-ai/sdk'",
    'from anthropic import Anthropic',
    'http://127.0.0.1:8080',
  ],
  ['responses', "import OpenAI from 'openai'", 'from openai import OpenAI', 'http://127.0.0.1:8080/v1'],
  ['chat', "import OpenAI from 'openai'", 'from openai import OpenAI', 'http://127.0.0.1:8080/v1'],
] as const)("%s code uses the vendor's own client", (name, javaScript, python, base) => {
  const { sdk, path, body } = DIALECTS[name]
  const sent = { url: `http://127.0.0.1:8080${path}`, headers: {}, body: body(FORM), sdk }
  expect(codeFor('TypeScript', sent)).toContain(javaScript)
  expect(codeFor('TypeScript', sent)).toContain(`baseURL: '${base}',`)
  expect(codeFor('Python', sent)).toContain(python)
  expect(codeFor('Python', sent)).toContain('    stream=True,')
  expect(codeFor('Python', sent)).toContain(`client.${sdk.call}(`)
})
