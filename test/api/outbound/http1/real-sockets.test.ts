import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Http1Client } from '../../../../src/adapters/outbound/http1/http1-client.ts'
import { drawsOf } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { seededRandom } from '../../../random/seeded-random.ts'
import { explain } from './differences.ts'
import { type Outcome, type PlayedClient, record } from './play-reply.ts'
import { drawReply, type ReplyCase } from './reply-cases.ts'

const CASES = drawsOf({ quick: 200, rest: 1_000, whole: 4_000 })

let server: Server
let origin: URL
/** Replies by path. */
const replies = new Map<string, ReplyCase>()

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (request) => void answer(socket, request.toString('latin1')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  origin = new URL(`http://127.0.0.1:${address.port}`)
})
afterAll(() => void server.close())

async function answer(socket: Socket, request: string): Promise<void> {
  const reply = replies.get(request.split(' ', 2)[1] ?? '')
  let from = 0
  for (const to of [...(reply?.cuts ?? []), reply?.bytes.length ?? 0]) {
    if (to > from) socket.write(reply?.bytes.subarray(from, to) ?? '')
    from = Math.max(from, to)
    await turn()
  }
  socket.end()
}

test(`${CASES} replies over TCP, each followed by the end of the connection`, {
  timeout: 300_000,
}, async () => {
  const random = seededRandom(seedOfRun() + 1)
  for (let done = 0; done < CASES; done += 50) {
    const cases = Array.from({ length: 50 }, () => drawReply(random))
    await Promise.all(
      cases.map(async (each, index) => {
        const path = `/${done + index}`
        replies.set(path, each)
        const ours = await play(openOurs(), path, each)
        const theirs = await play(new Client(origin, { allowH2: false }), path, each)
        replies.delete(path)
        expect(explain(each, ours, theirs), each.bytes.toString('latin1')).toBeDefined()
      }),
    )
  }
})

function openOurs(): Http1Client {
  const limits = { connections: 1, connectTimeoutMs: 10_000, headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 }
  return new Http1Client({ origin, ...limits })
}

async function play(client: PlayedClient, path: string, { method, pauses }: ReplyCase): Promise<Outcome> {
  const { outcome, handler, over } = record(pauses)
  client.dispatch({ method, path, headers: {}, body: method === 'POST' ? '{}' : null }, handler)
  await over
  await client.destroy()
  return outcome
}
