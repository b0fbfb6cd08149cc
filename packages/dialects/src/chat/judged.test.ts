import OpenAI from 'openai'
import FormerOpenAI from 'openai-6'
import { expect, test } from 'vitest'
import { eventsOf, readSse, WELL_ENDED } from '../../../../test/fixtures/text/chat/fixture.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'

const NO_NAMES = { provider: 'vendorC', toolNames: new Map() }

type Fetch = () => Promise<Response>
type Chunk = OpenAI.Chat.ChatCompletionChunk | FormerOpenAI.Chat.ChatCompletionChunk

const ASKED = { model: 'm', stream: true as const, messages: [{ role: 'user' as const, content: 'Hi' }] }

/** The official client in its current and former major version, with a fixture in place of a network. */
const JUDGES: Readonly<Record<string, (fetch: Fetch) => Promise<AsyncIterable<Chunk>>>> = {
  'openai 7': async (fetch) =>
    new OpenAI({ apiKey: 'none', maxRetries: 0, fetch }).chat.completions.create(ASKED),
  'openai 6': async (fetch) =>
    new FormerOpenAI({ apiKey: 'none', maxRetries: 0, fetch }).chat.completions.create(ASKED),
}

const cases = Object.entries(JUDGES).flatMap(([judge, ask]) =>
  WELL_ENDED.map((name) => [judge, name, ask] as const),
)

test.each(cases)('%s reads the fixture %s as we do', async (_judge, name, ask) => {
  const theirs = {
    text: '',
    refusal: '',
    calls: new Map<number, { id: string; name: string; arguments: string }>(),
    finish: '',
    output: -1,
  }
  for await (const chunk of await ask(answer)) {
    theirs.output = chunk.usage?.completion_tokens ?? theirs.output
    const [choice] = chunk.choices
    theirs.text += choice?.delta.content ?? ''
    theirs.refusal += choice?.delta.refusal ?? ''
    theirs.finish = choice?.finish_reason ?? theirs.finish
    for (const { index, id, function: called } of choice?.delta.tool_calls ?? []) {
      const call = theirs.calls.get(index) ?? { id: '', name: '', arguments: '' }
      theirs.calls.set(index, {
        id: call.id + (id ?? ''),
        name: call.name + (called?.name ?? ''),
        arguments: call.arguments + (called?.arguments ?? ''),
      })
    }
  }
  const events = eventsOf([Buffer.from(readSse(name))], NO_NAMES)
  const blocks = foldBlocks(events)
  const textOf = (kind: string) =>
    blocks
      .filter(({ head }) => head.kind === kind)
      .map((block) => block.text)
      .join('')
  expect(textOf('text')).toBe(theirs.text)
  expect(textOf('refusal')).toBe(theirs.refusal)
  const calls = blocks.flatMap(({ head, text }) =>
    head.kind === 'tool-call' ? [{ id: head.callId, name: head.name, arguments: text }] : [],
  )
  expect(calls).toEqual([...theirs.calls.values()])
  expect(events.at(-1)).toMatchObject({ kind: 'reply-end', tokens: { output: theirs.output } })
  expect(theirs.finish).not.toBe('')

  async function answer(): Promise<Response> {
    return new Response(readSse(name), { headers: { 'content-type': 'text/event-stream' } })
  }
})
