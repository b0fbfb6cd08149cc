import { afterEach, expect, test, vi } from 'vitest'
import { type Outcome, runText } from './run-text.ts'

afterEach(() => vi.unstubAllGlobals())

const FORM = {
  model: 'm',
  system: '',
  turns: [],
  prompt: 'hi',
  maxTokens: 1,
  isStream: false,
  hasTool: false,
  image: '',
  temperature: '',
  effort: '',
}

async function run(reply: Response): Promise<Outcome | undefined> {
  vi.stubGlobal('fetch', async () => reply)
  let last: Outcome | undefined
  await runText({
    dialect: 'messages',
    form: FORM,
    withKey: (send) => send('key'),
    signal: new AbortController().signal,
    onChange: (outcome) => {
      last = outcome
    },
  })
  return last
}

test('a whole reply that is longer than the shown raw text is read to its end', async () => {
  const text = 'x'.repeat(300_000)
  const reply = { content: [{ type: 'text', text }], usage: { input_tokens: 3, output_tokens: 5 } }
  const outcome = await run(Response.json(reply))
  expect(outcome).toMatchObject({ failure: '', text, tokens: { input: 3, output: 5 } })
  expect(outcome?.raw).toBe(JSON.stringify(reply, null, 2).slice(0, 200_000))
})

test('a whole reply that is not JSON is shown unchanged', async () => {
  const outcome = await run(new Response('<html>'))
  expect(outcome).toMatchObject({ raw: '<html>', text: '', isRunning: false })
  expect(outcome?.failure).not.toBe('')
})

test('a stream that is longer than the shown raw text is read to its end', async () => {
  const event = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'y'.repeat(150_000) } }
  const body = `data: ${JSON.stringify(event)}\n\n`.repeat(2)
  const outcome = await run(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  expect(outcome).toMatchObject({ failure: '', text: 'y'.repeat(300_000), raw: body.slice(0, 200_000) })
})

test('a token count of a stream stays when a later event has only the other count', async () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 9 } },
    { type: 'message_delta', delta: {}, usage: { input_tokens: null, output_tokens: 10 } },
  ]
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const outcome = await run(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  expect(outcome?.tokens).toEqual({ input: 12, output: 10 })
})
