import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL, WIRE } = process.env
const baseURL = `${BASE_URL}/v1`
const MODELS = {
  responses: () => createOpenAI({ baseURL, apiKey: API_KEY }).responses(MODEL),
  chat: () => createOpenAI({ baseURL, apiKey: API_KEY }).chat(MODEL),
  compatible: () =>
    createOpenAICompatible({ name: 'sluice', baseURL, apiKey: API_KEY, includeUsage: true })(MODEL),
  messages: () => createAnthropic({ baseURL, authToken: API_KEY })(MODEL),
}
const model = MODELS[WIRE]()
const settings = { model, maxRetries: 0, maxOutputTokens: 2_000, stopWhen: stepCountIs(4) }

const calls = []
const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    calls.push(city)
    return `sunny in ${city}`
  },
})

const plain = await generateText({ ...settings, prompt: 'Hello [reason]' })

const asked = {
  role: 'user',
  content: '[reason] [call weather {"city":"Oslo"}] [call weather {"city":"Rome"}]',
}
const looped = await generateText({ ...settings, tools: { weather }, messages: [asked] })
const further = await generateText({
  ...settings,
  tools: { weather },
  messages: [asked, ...looped.response.messages, { role: 'user', content: 'And again' }],
})

async function readStream(options) {
  const result = streamText({
    ...settings,
    ...options,
    onError({ error }) {
      throw error
    },
  })
  let text = ''
  for await (const piece of result.textStream) text += piece
  return { text, reason: await result.finishReason, usage: (await result.usage).totalTokens }
}
const streamed = await readStream({ prompt: '[count 5]' })
const streamedLoop = await readStream({
  tools: { weather },
  prompt: '[reason] [call weather {"city":"Bern"}]',
})

console.log(
  JSON.stringify({
    text: plain.text,
    reasoning: plain.reasoningText,
    calls,
    afterCalls: looped.text,
    further: further.text,
    streamed: streamed.text,
    streamedAfterCalls: streamedLoop.text,
    endsWell: [plain.finishReason, looped.finishReason, streamed.reason, streamedLoop.reason].every(
      (reason) => reason === 'stop',
    ),
    countsUsage: plain.usage.totalTokens > 0 && streamed.usage > 0,
  }),
)
