import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DIALECT_NAMES, type Dialect } from '@sluice/dialects/dialect-facts'
import { atMost, type Figures, type Goal } from './figures.ts'
import { IS_QUICK } from './rounds.ts'
import { GOAL_TURN_MS, type Longest, startWatched } from './text/longest-turn.ts'
import { streamedReply, VENDOR_SHAPES, vectors, wholeReply } from './text/vendor-shapes.ts'

const MIB = 1024 * 1024
/** Reply sizes: just below the limit of whole replies or of events, and just below what the main thread reads at most. */
const SIZES_BYTES = { whole: [60 * MIB, 500 * 1024], stream: [15 * MIB, 500 * 1024] }
const SHOWN = 5

const ASKING: Record<Dialect, { path: string; body: object }> = {
  messages: { path: '/v1/messages', body: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] } },
  responses: { path: '/v1/responses', body: { input: 'Hi', store: false } },
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
}

interface Case {
  name: string
  path: string
  body: object
  headers?: Record<string, string>
  /** Made when it is needed: all of them together would be gigabytes. */
  reply(): Reply
}

interface Reply {
  status?: number
  type?: string
  body: string
}

/** Vendors' replies that are costly in many ways: the time for which each blocks every other request. */
export async function replyShapes(): Promise<Figures[]> {
  let reply: Reply = { body: '' }
  const vendor = createServer((request, response) => {
    request.resume()
    const { status = 200, type = 'application/json', body } = reply
    response.writeHead(status, { 'content-type': type }).end(body)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const found: [name: string, turn: Longest & { status: number }][] = []
  {
    await using sluice = await startWatched(`http://127.0.0.1:${(vendor.address() as AddressInfo).port}`)
    // The first request also starts the threads and compiles the shared code.
    await sluice.send(ASKING.chat.path, JSON.stringify({ model: 'vendorC/chat', ...ASKING.chat.body }))
    for (const one of cases()) {
      reply = one.reply()
      found.push([one.name, await sluice.send(one.path, JSON.stringify(one.body), one.headers)])
    }
  }
  vendor.close()
  const sorted = found.toSorted(([, one], [, other]) => other.cpuMs - one.cpuMs)
  const rows: Figures['rows'] = {}
  for (const [name, { cpuMs, wallMs, status }] of sorted.slice(0, SHOWN))
    rows[name] = { 'longest turn, CPU ms': cpuMs, 'by the clock': wallMs, status: String(status) }
  const longestMs = sorted[0]?.[1].cpuMs ?? NaN
  const goals: Goal[] = [atMost(`Longest turn, ${found.length} replies`, longestMs, GOAL_TURN_MS, 'ms')]
  const note = `The ${SHOWN} longest of ${found.length}: whole and as one event, from every dialect to every other, embeddings, errors, compactions, kept, background and repeated replies.`
  return [
    { title: "Vendors' replies made to be costly: the longest turn of the event loop", note, rows, goals },
  ]
}

function* cases(): Generator<Case> {
  for (const kind of ['whole', 'stream'] as const)
    for (const bytes of SIZES_BYTES[kind])
      for (const shape of IS_QUICK ? VENDOR_SHAPES.filter(({ isSample }) => isSample) : VENDOR_SHAPES)
        for (const vendor of DIALECT_NAMES)
          for (const client of clientsOf(vendor)) {
            const size = `${Math.round(bytes / 1024)} KiB`
            const { path, body } = ASKING[client]
            yield {
              ...{ name: `${size} ${kind}, ${shape.name}, ${client} from ${vendor}`, path },
              body: { model: `vendorC/${vendor}`, ...body, ...(kind === 'stream' && { stream: true }) },
              reply: () => written(kind, vendor, shape.make(vendor, bytes)),
            }
          }
  yield* otherCases()
}

/** A quick run covers replies that keep their dialect, and one conversion. */
function clientsOf(vendor: Dialect): readonly Dialect[] {
  if (!IS_QUICK) return DIALECT_NAMES
  return vendor === 'chat' ? ['chat', 'messages'] : [vendor]
}

function* otherCases(): Generator<Case> {
  const text = { text: 'lorem ipsum '.repeat(5 * 1024 * 1024), beside: null }
  const kept = { model: 'vendorC/responses', input: 'Hi', store: true }
  const { path } = ASKING.responses
  for (const mebibytes of [1, 60])
    yield {
      ...{ name: `embeddings of ${mebibytes} MiB`, path: '/v1/embeddings' },
      body: { model: 'vendorC/embed', input: 'Hi' },
      reply: () => ({ body: JSON.stringify(vectors(mebibytes * MIB)) }),
    }
  for (const status of [400, 429, 500])
    yield {
      ...{ name: `an error ${status} of 15 MiB`, path: ASKING.chat.path },
      body: { model: 'vendorC/chat', ...ASKING.chat.body },
      reply: () => ({ status, body: JSON.stringify({ error: { message: 'x'.repeat(15 * MIB) } }) }),
    }
  yield {
    ...{ name: 'a summary of 60 MiB', path: '/v1/responses/compact', body: { ...kept, store: undefined } },
    reply: () => written('whole', 'responses', text),
  }
  yield { name: 'kept, 60 MiB whole', path, body: kept, reply: () => written('whole', 'responses', text) }
  const [before = '', after = ''] = JSON.stringify(wholeReply('chat', { text: 'Hi', beside: 'DEEP' })).split(
    '"DEEP"',
  )
  yield {
    ...{ name: 'deep lists, 10 MiB', path: ASKING.messages.path },
    body: { model: 'vendorC/chat', ...ASKING.messages.body },
    reply: () => ({ body: before + '['.repeat(5 * MIB) + ']'.repeat(5 * MIB) + after }),
  }
  const event = { text: 'lorem ipsum '.repeat(MIB), beside: null }
  const streamed = () => written('stream', 'responses', event)
  yield { name: 'kept, 12 MiB in one event', path, body: { ...kept, stream: true }, reply: streamed }
  yield {
    ...{ name: 'background, 12 MiB in one event', path, body: { ...kept, stream: true, background: true } },
    reply: streamed,
  }
  const large = { text: 'lorem ipsum '.repeat(MIB / 14), beside: null }
  for (const turn of ['first', 'repeated'])
    yield {
      ...{ name: `idempotent, 900 KiB, ${turn}`, path: ASKING.chat.path },
      ...{ body: { model: 'vendorC/chat', ...ASKING.chat.body }, headers: { 'idempotency-key': 'shape' } },
      reply: () => written('whole', 'chat', large),
    }
}

function written(
  kind: 'whole' | 'stream',
  dialect: Dialect,
  parts: { text: string; beside: unknown },
): Reply {
  if (kind === 'stream') return { type: 'text/event-stream', body: streamedReply(dialect, parts) }
  return { body: JSON.stringify(wholeReply(dialect, parts)) }
}
