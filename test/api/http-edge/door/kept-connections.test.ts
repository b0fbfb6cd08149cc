import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { CALLER } from '../../../caller.ts'
import { drawsOf } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../../random/seeded-random.ts'
import { hot } from '../echo-operations.ts'
import { memoryApp } from '../memory-app.ts'
import { type Edge, startEdge } from '../start-edge.ts'

const CONNECTIONS = drawsOf({ quick: 150, rest: 1_000, whole: 10_000 })
const CONCURRENT = 25
const BODY_BYTES_MAX = 20_000
const TENANTS = ['a', 'b', 'c'] as const
const STATUSES = { whole: 200, stranger: 401, 'too-long': 413, 'no-json': 400, 'wrong-type': 415 }

interface Drawn {
  bytes: string
  status: number
  /** Part of the body of its answer; undefined where the answer is an error. */
  expected: string | undefined
}

/** An edge that answers with the organization of the request, immediately or after a moment. */
function openEdge(fastDoor: boolean): Promise<Edge> {
  const owner = hot(
    { area: 'messages', path: '/v1/messages', limitBytes: BODY_BYTES_MAX },
    async (request) => {
      const { nonce, waits } = request.body as { nonce: number; waits: boolean }
      if (waits) await sleep(1)
      return JSON.stringify({ owner: request.caller.organizationId, nonce })
    },
  )
  const authenticate = (key: string | undefined) => {
    if (!TENANTS.some((tenant) => tenant === key)) throw new ApiError('invalid_api_key')
    const caller = { ...CALLER, organizationId: `org_${key}` }
    return key === 'c' ? sleep(1).then(() => caller) : caller
  }
  return startEdge({ operations: [owner], app: memoryApp({ authenticate }), fastDoor })
}

function drawRequest(random: SeededRandom, nonce: number): Drawn {
  const kind = random.pick<keyof typeof STATUSES>([
    ...(['whole', 'whole', 'whole', 'stranger', 'too-long', 'no-json', 'wrong-type'] as const),
  ])
  const tenant = random.pick(TENANTS)
  const length =
    kind === 'too-long' ? random.integer(BODY_BYTES_MAX, 70_000) : random.pick([0, 10, 500, 5_000])
  const json = JSON.stringify({
    nonce,
    waits: random.next() < 0.3,
    text: 'POST /v1/messages\r\n'.repeat(length / 19),
  })
  const body = kind === 'no-json' ? `{${json}` : json + ' '.repeat(kind === 'too-long' ? BODY_BYTES_MAX : 0)
  const isChunked = random.next() < 0.5
  const head = [
    'POST /v1/messages HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${kind === 'stranger' ? 'stranger' : tenant}`,
    `Content-Type: ${kind === 'wrong-type' ? 'text/plain' : 'application/json'}`,
    // Some heads are for Node's server, which then keeps the connection.
    ...(random.next() < 0.03 ? ['X-Tab: a\tb'] : []),
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
  ]
  return {
    bytes: `${head.join('\r\n')}\r\n\r\n${isChunked ? inChunks(body, random) : body}`,
    status: STATUSES[kind],
    expected: kind === 'whole' ? `{"owner":"org_${tenant}","nonce":${nonce}}` : undefined,
  }
}

function inChunks(body: string, random: SeededRandom): string {
  let text = ''
  for (let at = 0; at < body.length; ) {
    const size = random.pick([100, 1_000, 20_000])
    const chunk = body.slice(at, at + size)
    text += `${chunk.length.toString(16)}${random.next() < 0.1 ? ';a="\\"b"' : ''}\r\n${chunk}\r\n`
    at += size
  }
  return `${text}0\r\n${random.next() < 0.2 ? 'X: POST / HTTP/1.1\r\n' : ''}\r\n`
}

/** Answers on one connection, which gets the bytes in packets that end anywhere. */
async function answersOf(edge: Edge, drawn: readonly Drawn[], seed: number): Promise<string[]> {
  const random = seededRandom(seed)
  const socket = connect({ port: edge.port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const isOneWrite = random.next() < 0.3
  const bytes = drawn.map((request) => request.bytes).join('')
  for (let at = 0; at < bytes.length && socket.writable; ) {
    const size = isOneWrite ? bytes.length : random.pick([1, 50, 200, 3_000, 30_000])
    socket.write(bytes.slice(at, at + size), 'latin1')
    at += size
    if (random.next() < 0.5) await sleep(random.integer(0, 2))
  }
  const count = () => received.split('HTTP/1.1 ').length - 1
  for (let waited = 0; count() < drawn.length && !socket.destroyed && waited < 2_000; waited += 1)
    await sleep(5)
  await sleep(5)
  socket.destroy()
  return received.split('HTTP/1.1 ').slice(1)
}

test.each([true, false])(
  'each request of a kept connection gets the answer of its own caller (door: %s)',
  {
    timeout: 1_800_000,
  },
  async (fastDoor) => {
    const edge = await openEdge(fastDoor)
    onTestFinished(() => edge.close())
    const random = seededRandom(seedOfRun())
    for (let done = 0; done < CONNECTIONS; done += CONCURRENT) {
      await Promise.all(
        Array.from({ length: CONCURRENT }, async (_, at) => {
          const drawn = Array.from({ length: random.integer(1, 6) }, (_, number) =>
            drawRequest(random, (done + at) * 10 + number),
          )
          const seed = random.integer(0, 2 ** 31)
          const answers = await answersOf(edge, drawn, seed)
          const about = `connection ${done + at}`
          expect(
            answers.map((answer) => Number(answer.slice(0, 3))),
            about,
          ).toEqual(drawn.map(({ status }) => status))
          for (const [number, { expected }] of drawn.entries()) {
            if (expected !== undefined) expect(answers[number], about).toContain(`\r\n\r\n${expected}`)
          }
        }),
      )
    }
    expect(edge.bodyBytes()).toBe(0)
  },
)
