import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { type ClientOptions, WebSocket } from 'ws'

/** A client of `GET /v1/responses` with an upgrade. */
export interface SocketClient {
  ws: WebSocket
  send(event: object | string): void
  /** The next event; rejects when the connection is over. */
  next(): Promise<JsonObject>
  /** The events of one response, up to its end or an error. */
  turn(event: object): Promise<JsonObject[]>
  /** The code it was closed with. */
  closed: Promise<number>
}

/** Headers that are undefined are left out. */
type Headers = Record<string, string | undefined>

export function headersFor(key: string, more: Headers = {}): Record<string, string> {
  const all = Object.entries({ authorization: `Bearer ${key}`, ...more })
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export async function openSocket(
  { url }: { url: string },
  { key }: { key: string },
  headers: Headers = {},
  options: ClientOptions = {},
): Promise<SocketClient> {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/responses`, {
    headers: headersFor(key, headers),
    perMessageDeflate: false,
    ...options,
  })
  const events: JsonObject[] = []
  let news = Promise.withResolvers<void>()
  const tell = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  ws.on('message', (data) => {
    events.push(JSON.parse(String(data)))
    tell()
  })
  ws.on('error', () => {})
  const closed = once(ws, 'close').then(([code]) => Number(code))
  void closed.then(tell)
  await Promise.race([once(ws, 'open'), closed.then(() => Promise.reject(new Error('no WebSocket')))])

  async function next(): Promise<JsonObject> {
    for (;;) {
      const event = events.shift()
      if (event !== undefined) return event
      if (ws.readyState === ws.CLOSED) throw new Error('the connection is over')
      await news.promise
    }
  }
  const send = (event: object | string) =>
    ws.send(typeof event === 'string' ? event : JSON.stringify({ type: 'response.create', ...event }))
  return {
    ws,
    send,
    next,
    async turn(event) {
      send(event)
      const reported: JsonObject[] = []
      for (;;) {
        const one = await next()
        reported.push(one)
        if (ENDS.has(String(one.type)) || 'status' in one) return reported
      }
    },
    closed,
  }
}

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** The plain answer to an upgrade that is refused. */
export async function refusedUpgrade(
  { url }: { url: string },
  headers: Record<string, string>,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: JsonObject }> {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/responses`, { headers })
  ws.on('error', () => {})
  const [, answer]: [unknown, IncomingMessage] = Object(await once(ws, 'unexpected-response'))
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) }
}
