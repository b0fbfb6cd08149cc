import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Dialect } from '@sluice/dialects/dialect-facts'

/** A vendor of all three dialects that replays a fixture: the prompt names it as `play:<name>`. */
export interface FixtureVendor {
  url: string
  /** Number of its requests. */
  count: number
  /** The last request, as it came. */
  asked: { path: string; headers: Record<string, unknown>; body: unknown }
  close(): Promise<void>
}

const FIXTURES = fileURLToPath(new URL('../fixtures/text/', import.meta.url))

/** Streams that do not end well; `cut` breaks off, the others report a failure. */
export const FAILING: Readonly<Record<Dialect, readonly string[]>> = {
  messages: ['cut', 'error'],
  responses: ['busy', 'cut', 'error'],
  chat: ['cut', 'error'],
}

export function wellEnded(dialect: Dialect): string[] {
  return readdirSync(join(FIXTURES, dialect))
    .filter((file) => file.endsWith('.sse'))
    .map((file) => file.slice(0, -'.sse'.length))
    .filter((name) => !FAILING[dialect].includes(name))
}

export function readTwin(dialect: Dialect, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(FIXTURES, dialect, `${name}.json`), 'utf8'))
}

export async function startFixtureVendor(): Promise<FixtureVendor> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    vendor.count += 1
    vendor.asked = { path: request.url ?? '', headers: request.headers, body: JSON.parse(body) }
    const [, name = 'text'] = /play:([\w-]+)/.exec(body) ?? []
    play(name, { dialect: dialectOf(request.url ?? ''), stream: /"stream":\s*true/.test(body), response })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const vendor: FixtureVendor = {
    url: `http://127.0.0.1:${port}`,
    count: 0,
    asked: { path: '', headers: {}, body: undefined },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

function dialectOf(path: string): Dialect {
  if (path.endsWith('/chat/completions')) return 'chat'
  return path.endsWith('/responses') ? 'responses' : 'messages'
}

interface Playing {
  dialect: Dialect
  stream: boolean
  response: ServerResponse
}

const SSE = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Plays a fixture, or one of `status-<n>`, `garbage`, `hang-up`, `not-json` and `nothing`. */
function play(name: string, { dialect, stream, response }: Playing): void {
  const [, status] = /^status-(\d+)$/.exec(name) ?? []
  if (status !== undefined) {
    const error = { type: 'invalid_request_error', message: 'No, said the vendor.', code: null, param: null }
    const body = dialect === 'messages' ? { type: 'error', error } : { error }
    response.writeHead(Number(status), JSON_TYPE).end(JSON.stringify(body))
  } else if (name === 'hang-up') response.destroy()
  else if (name === 'not-json') response.writeHead(200, stream ? SSE : JSON_TYPE).end('<html>Sorry.</html>')
  else if (name === 'nothing') response.writeHead(200, stream ? SSE : JSON_TYPE).end()
  else if (name === 'garbage') {
    const good = readFileSync(join(FIXTURES, dialect, 'text.sse'), 'utf8').split('\n\n')
    response
      .writeHead(200, SSE)
      .end([...good.slice(0, -3), 'data: {"type":"bro', ...good.slice(-3)].join('\n\n'))
  } else if (!stream) {
    response.writeHead(200, JSON_TYPE).end(readFileSync(join(FIXTURES, dialect, `${name}.json`)))
  } else {
    const bytes = readFileSync(join(FIXTURES, dialect, `${name}.sse`))
    response.writeHead(200, SSE)
    // The reply comes in two pieces, cut inside of an event.
    const middle = Math.floor(bytes.length / 2)
    response.write(bytes.subarray(0, middle), () => {
      if (name !== 'cut') response.end(bytes.subarray(middle))
      else response.write(bytes.subarray(middle), () => response.destroy())
    })
  }
}
