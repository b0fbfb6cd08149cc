import { request as sendRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Ways in which one organization can disturb the others. The process ends with its input. */
export type GreedyAct = 'large-bodies' | 'slow-readers' | 'failing-prompts' | 'callback-storm'

export interface GreedyOrders {
  baseUrl: string
  key: string
  acts: readonly GreedyAct[]
  /** Takes connections and answers nothing, or takes none at all. */
  deadReceiverUrl: string
}

export type Sent = Record<GreedyAct, number>

const BODY_BYTES = 31 * 1_024 * 1_024
const READERS = 100

let isOver = false
/** Number of requests that each action has sent and seen end. */
const sent: Sent = { 'large-bodies': 0, 'slow-readers': 0, 'failing-prompts': 0, 'callback-storm': 0 }

async function act({ baseUrl, key, acts, deadReceiverUrl }: GreedyOrders): Promise<void> {
  const post = (path: string, body: string) => postTo(`${baseUrl}${path}`, key, body)
  const ask = (content: string, more: object = {}) =>
    post('/v1/messages', JSON.stringify({ ...TEXT, messages: [{ role: 'user', content }], ...more }))
  const lanes: Record<GreedyAct, () => Promise<unknown>[]> = {
    'large-bodies': () =>
      ODD_SHAPES.map((shape) => again('large-bodies', 20, () => post('/v1/messages', shape))),
    'slow-readers': () =>
      Array.from({ length: READERS }, () =>
        again('slow-readers', 50, () => readNothing(baseUrl, key, () => isOver)),
      ),
    'failing-prompts': () =>
      Array.from({ length: 8 }, () => again('failing-prompts', 5, () => ask('[fail]'))),
    'callback-storm': () =>
      Array.from({ length: 4 }, () =>
        again('callback-storm', 10, () =>
          post(
            '/v1/video/generations',
            JSON.stringify({
              model: 'vendorA/gen-2.0',
              content: [{ type: 'text', text: 'a storm [instant] [fail]' }],
              callback_url: deadReceiverUrl,
            }),
          ),
        ),
      ),
  }
  await Promise.all(acts.flatMap((name) => lanes[name]()))
}

const TEXT = { model: 'vendorD/text-large', max_tokens: 100 }

/** One body with a long text, and one with very many small values. */
const ODD_SHAPES = [
  `{"model":"vendorD/text-large","max_tokens":1,"messages":[{"role":"user","content":"${'x'.repeat(BODY_BYTES)}"}]}`,
  `{"model":"vendorD/text-large","max_tokens":1,"messages":[${'{"role":"user","content":"a"},'.repeat(BODY_BYTES / 40)}{"role":"user","content":"a"}]}`,
]

async function again(name: GreedyAct, pauseMs: number, run: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await run()
    sent[name] += 1
    await delay(pauseMs)
  }
}

function postTo(url: string, key: string, body: string): Promise<void> {
  return new Promise((resolve) => {
    const call = sendRequest(url, { method: 'POST', agent: false, headers: headersOf(key) }, (answer) => {
      answer.resume().on('close', resolve)
    })
    call.on('error', () => resolve())
    call.end(body)
  })
}

/** Requests a long stream and never reads it, until `isDone` returns true. */
function readNothing(baseUrl: string, key: string, isDone: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const call = sendRequest(`${baseUrl}/v1/messages`, {
      method: 'POST',
      agent: false,
      headers: headersOf(key),
    })
    const timer = setInterval(() => {
      if (isDone()) call.destroy()
    }, 50)
    call.on('response', (answer) => void answer.pause())
    call.on('error', () => {})
    call.on('close', () => {
      clearInterval(timer)
      resolve()
    })
    const body = { ...TEXT, max_tokens: 1_000_000, stream: true }
    call.end(JSON.stringify({ ...body, messages: [{ role: 'user', content: '[long 9999]' }] }))
  })
}

function headersOf(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
  }
}

// The last statement of the file, because the listener needs the values above.
process.stdin.resume().once('end', () => {
  isOver = true
})
const over = act(JSON.parse(process.argv[2] ?? ''))
process.stdout.write('begun\n')
await over
process.stdout.write(JSON.stringify(sent))
