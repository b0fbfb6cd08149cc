import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEAD, ORIGIN } from '../../../../test/fixtures/text/messages/fixture.ts'
import { drawsOf } from '../../../../test/random/full-run.ts'
import { seedOfRun } from '../../../../test/random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../../../test/random/seeded-random.ts'
import { createGuard } from '../canonical/guard.ts'
import type { Dialect } from '../dialect-facts.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../dialects.ts'
import { createFrameSplitter } from '../sse/split-frames.ts'

const STREAMS = drawsOf({ quick: 1_000, rest: 10_000, whole: 100_000 })
const DIALECTS: readonly Dialect[] = ['messages', 'responses', 'chat']
const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures/text')

interface Frame {
  name: string | undefined
  data: string
}

/** Bytes for a client of each dialect. */
function writtenOf(vendor: Dialect, frames: readonly Frame[]): string[] {
  const writers = DIALECTS.map((client) => CLIENT_DIALECTS[client].writeStream(HEAD))
  const written = writers.map(() => '')
  const emit = createGuard((event) => {
    for (const [at, writer] of writers.entries()) written[at] += writer.write(event)
  })
  const reader = VENDOR_DIALECTS[vendor].readStream(ORIGIN, emit)
  for (const { name, data } of frames) reader.frame(name, data)
  reader.close()
  return [...written, JSON.stringify([reader.tokens, reader.vendorUsage])]
}

/** The slow path: each frame has a unique member, so no two frames are alike. */
function apart(frames: readonly Frame[]): Frame[] {
  return frames.map(({ name, data }, at) => ({
    name,
    data: data.startsWith('{"') ? `{"noise-${at}":${at},${data.slice(1)}` : data,
  }))
}

const recordings = globSync(`${FIXTURES}/{messages,chat,responses}/*.sse`).map(
  (path) => [path.slice(FIXTURES.length + 1), path] as const,
)

test.each(recordings)('the recording %s is converted for each client as with full parsing', (name, path) => {
  const frames: Frame[] = []
  const splitter = createFrameSplitter((frame, data) => void frames.push({ name: frame, data }), {
    maxFrameBytes: 1e6,
  })
  splitter.push(readFileSync(path))
  splitter.end()
  const vendor = DIALECTS.find((dialect) => name.startsWith(dialect)) ?? 'chat'
  expect(writtenOf(vendor, frames)).toEqual(writtenOf(vendor, apart(frames)))
})

test('generated streams are converted for each client as with full parsing', {
  timeout: 1_800_000,
}, () => {
  const random = seededRandom(seedOfRun())
  for (let stream = 0; stream < STREAMS; stream += 1) {
    const vendor = random.pick<Dialect>(['messages', 'chat', 'responses'])
    const frames = DRAWN[vendor](random)
    expect(writtenOf(vendor, frames), `stream ${stream}`).toEqual(writtenOf(vendor, apart(frames)))
  }
})

const PIECES = [
  'Hello',
  ' world',
  'a"b',
  '\\',
  '\n',
  '',
  '日本 🌊',
  '\u0000',
  'text',
  '"text":"x"',
  '\ud800',
  ' ',
] as const

function drawText(random: SeededRandom): string {
  return random.pick(PIECES) + (random.next() < 0.5 ? String(random.integer(0, 99)) : '')
}

/** Vendors write JSON in several ways. */
function spell(body: object, random: SeededRandom): string {
  const json = JSON.stringify(body)
  const way = random.next()
  if (way < 0.9) return json
  if (way < 0.94) return json.replaceAll(',"', ', "')
  if (way < 0.97)
    return json
      .replaceAll('"text"', '"te\\u0078t"')
      .replaceAll('"content"', '"c\\u006fntent"')
      .replaceAll('"delta"', '"d\\u0065lta"')
  return json.slice(0, -1)
}

function drawMessages(random: SeededRandom): Frame[] {
  const frames: Frame[] = []
  const isNamed = random.next() < 0.8
  const add = (body: { type: string }) =>
    void frames.push({ name: isNamed ? body.type : undefined, data: spell(body, random) })
  add({
    type: 'message_start',
    message: { id: 'msg_1', usage: { input_tokens: 5, output_tokens: 1 } },
  } as never)
  for (let index = 0; index < random.integer(1, 3); index += 1) {
    const kind = random.pick(['text', 'text', 'thinking', 'tool_use'])
    const block = kind === 'tool_use' ? { id: 'c', name: 'f', input: {} } : { [kind]: '' }
    add({ type: 'content_block_start', index, content_block: { type: kind, ...block } } as never)
    for (let piece = random.integer(0, 6); piece > 0; piece -= 1) {
      const text = drawText(random)
      const delta = random.pick<object>([
        ...([
          { type: 'text_delta', text },
          { type: 'text_delta', text },
          { type: 'text_delta', text },
        ] as const),
        ...[
          { type: `${kind}_delta`, [kind]: text },
          { type: 'input_json_delta', partial_json: '{}' },
        ],
        ...[
          { type: 'text_delta', text, note: { text: 'other' } },
          { type: 'text_delta', text: null },
        ],
      ])
      const isOdd = random.next() < 0.2
      add({
        type: 'content_block_delta',
        index: isOdd ? index + 1 : index,
        delta: isOdd ? delta : { type: kind === 'text' ? 'text_delta' : `${kind}_delta`, [kind]: text },
      } as never)
      if (random.next() < 0.1) add({ type: 'ping' })
    }
    add({ type: 'content_block_stop', index } as never)
  }
  add({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } } as never)
  add({ type: 'message_stop' })
  return frames
}

function drawChat(random: SeededRandom): Frame[] {
  const frames: Frame[] = []
  const isPadded = random.next() < 0.3
  const add = (delta: object, more: object = {}, rest: object = {}) => {
    const padding = isPadded ? { obfuscation: drawText(random) } : {}
    const choices = [{ index: 0, delta, finish_reason: null, ...more }]
    frames.push({ name: undefined, data: spell({ id: 'c', choices, ...padding, ...rest }, random) })
  }
  add({ role: 'assistant', content: '' })
  for (let piece = random.integer(0, 12); piece > 0; piece -= 1) {
    const content = drawText(random)
    const odd = random.next()
    if (odd < 0.85) add({ content })
    else if (odd < 0.9) add({ content, reasoning_content: drawText(random) })
    else if (odd < 0.93) add({ content }, { logprobs: { content: 'text' } })
    else if (odd < 0.96)
      add({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] })
    else add({ content }, {}, { usage: { prompt_tokens: piece, completion_tokens: piece } })
  }
  add({}, { finish_reason: 'stop' })
  frames.push({ name: undefined, data: '[DONE]' })
  return frames
}

interface GrowingItem {
  type: string
  delta: string
}

/** Reasoning, texts and calls, some of which grow at the same time. */
function drawResponses(random: SeededRandom): Frame[] {
  const frames: Frame[] = []
  const isNamed = random.next() < 0.8
  const isPadded = random.next() < 0.5
  const add = (type: string, more: object) => {
    const padding = isPadded ? { obfuscation: drawText(random) } : {}
    const data = spell({ type, sequence_number: frames.length, ...more, ...padding }, random)
    frames.push({ name: isNamed ? type : undefined, data })
  }
  add('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })
  const items = Array.from({ length: random.integer(1, 3) }, (_, index) => {
    const { type, delta } = random.pick(ITEMS)
    const item = { id: `item_${index}`, type, call_id: 'call_1', name: 'f', role: 'assistant' }
    add('response.output_item.added', { output_index: index, item })
    return { item, delta, index }
  })
  for (let piece = random.integer(0, 15); piece > 0; piece -= 1) {
    const growing = items[random.next() < 0.7 ? 0 : random.integer(0, items.length - 1)]
    if (growing === undefined) break
    const { item, delta, index } = growing
    const place = { item_id: item.id, output_index: random.next() < 0.05 ? 9 : index, content_index: 0 }
    const text = random.next() < 0.05 ? null : drawText(random)
    add(delta, { ...place, delta: text, ...(random.next() < 0.1 ? { logprobs: [{ delta: 'x' }] } : {}) })
  }
  for (const { item, index } of items) add('response.output_item.done', { output_index: index, item })
  add('response.completed', {
    response: { id: 'resp_1', status: 'completed', usage: { input_tokens: 5, output_tokens: 9 } },
  })
  return frames
}

const ITEMS: readonly [GrowingItem, ...GrowingItem[]] = [
  { type: 'message', delta: 'response.output_text.delta' },
  { type: 'message', delta: 'response.refusal.delta' },
  { type: 'function_call', delta: 'response.function_call_arguments.delta' },
  { type: 'reasoning', delta: 'response.reasoning_summary_text.delta' },
]

const DRAWN: Record<Dialect, (random: SeededRandom) => Frame[]> = {
  messages: drawMessages,
  chat: drawChat,
  responses: drawResponses,
}
