import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL, WIRE } = process.env
setTracingDisabled(true)
setOpenAIAPI(WIRE === 'chat' ? 'chat_completions' : 'responses')
setDefaultOpenAIClient(new OpenAI({ baseURL: `${BASE_URL}/v1`, apiKey: API_KEY, maxRetries: 0 }))

const calls = []
const weather = tool({
  name: 'weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    calls.push(city)
    return `sunny in ${city}`
  },
})
const agent = new Agent({ name: 'Forecaster', instructions: 'Be short.', model: MODEL, tools: [weather] })

const plain = await run(agent, 'Hello [reason]')
const looped = await run(agent, '[reason] [call weather {"city":"Oslo"}] [call weather {"city":"Rome"}]')
const further = await run(agent, [...looped.history, { role: 'user', content: 'And again' }])

async function readStream(prompt) {
  const result = await run(agent, prompt, { stream: true })
  let text = ''
  for await (const piece of result.toTextStream()) text += piece
  await result.completed
  return { text, usage: result.state.usage.totalTokens }
}
const streamed = await readStream('[count 5]')
const streamedLoop = await readStream('[reason] [call weather {"city":"Bern"}]')

console.log(
  JSON.stringify({
    text: plain.finalOutput,
    reasoning: plain.newItems
      .filter(({ type }) => type === 'reasoning_item')
      .flatMap(({ rawItem }) => rawItem.content.map(({ text }) => text))
      .join(''),
    calls,
    afterCalls: looped.finalOutput,
    further: further.finalOutput,
    streamed: streamed.text,
    streamedAfterCalls: streamedLoop.text,
    endsWell: true,
    countsUsage: plain.state.usage.totalTokens > 0 && streamed.usage > 0,
  }),
)
