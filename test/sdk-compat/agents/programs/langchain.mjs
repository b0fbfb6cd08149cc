import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'

const { BASE_URL, API_KEY, MODEL, WIRE } = process.env
const settings = { model: MODEL, apiKey: API_KEY, maxRetries: 0, maxTokens: 2_000 }
const model =
  WIRE === 'messages'
    ? new ChatAnthropic({ ...settings, anthropicApiUrl: BASE_URL })
    : new ChatOpenAI({
        ...settings,
        useResponsesApi: WIRE === 'responses',
        configuration: { baseURL: `${BASE_URL}/v1` },
      })

const calls = []
const weather = tool(
  async ({ city }) => {
    calls.push(city)
    return `sunny in ${city}`
  },
  { name: 'weather', description: 'The weather in a city', schema: z.object({ city: z.string() }) },
)
const equipped = model.bindTools([weather])

async function readStream(prompt, from) {
  let whole
  for await (const piece of await from.stream(prompt))
    whole = whole === undefined ? piece : whole.concat(piece)
  return whole
}

/** Asks until no tool is called any more. */
async function loop(prompt, ask) {
  const history = [new HumanMessage(prompt)]
  for (;;) {
    const answer = await ask(history)
    history.push(answer)
    if (answer.tool_calls.length === 0) return history
    for (const call of answer.tool_calls) history.push(await weather.invoke(call))
  }
}

const plain = await model.invoke('Hello [reason]')
const looped = await loop(
  '[reason] [call weather {"city":"Oslo"}] [call weather {"city":"Rome"}]',
  (history) => equipped.invoke(history),
)
const further = await equipped.invoke([...looped, new HumanMessage('And again')])
const streamed = await readStream('[count 5]', model)
const streamedLoop = await loop('[reason] [call weather {"city":"Bern"}]', (history) =>
  readStream(history, equipped),
)

console.log(
  JSON.stringify({
    text: plain.text,
    reasoning: plain.contentBlocks
      .filter(({ type }) => type === 'reasoning')
      .map(({ reasoning }) => reasoning)
      .join(''),
    calls,
    afterCalls: looped.at(-1).text,
    further: further.text,
    streamed: streamed.text,
    streamedAfterCalls: streamedLoop.at(-1).text,
    endsWell: true,
    countsUsage: plain.usage_metadata.total_tokens > 0 && streamed.usage_metadata.total_tokens > 0,
  }),
)
