import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { Pool } from 'undici'

/**
 * The minimum between a client and an upstream: node:http takes the request, undici forwards it, and the answer's bytes
 * go back as they come, held while the client is slow. No key, no rules, no limits, no meter. `dispatch` is undici's
 * interface with the least around it; `WITH_STREAMS` pipes streams, as most programs do.
 */
const upstream = new Pool(process.env.UPSTREAM ?? '', {
  connections: 1_024,
  allowH2: false,
  pipelining: 1,
  headersTimeout: 600_000,
  bodyTimeout: 300_000,
})

const send = process.env.WITH_STREAMS === undefined ? dispatch : pipe

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const [first] = chunks
    send(request, response, chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
  })
})

function callOf(request: IncomingMessage, body: Buffer) {
  const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' }
  return { path: request.url ?? '/', method: 'POST', headers, body } as const
}

function dispatch(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  upstream.dispatch(callOf(request, body), {
    onRequestStart(controller) {
      response.on('drain', () => controller.resume())
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client is gone'))
      })
    },
    onResponseStart(_controller, status, { connection, 'keep-alive': _, ...headers }) {
      response.writeHead(status, headers)
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause()
    },
    onResponseEnd() {
      response.end()
    },
    onResponseError() {
      response.destroy()
    },
  })
}

async function pipe(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const answer = await upstream.request(callOf(request, body))
  const { connection, 'keep-alive': _, ...headers } = answer.headers
  response.writeHead(answer.statusCode, headers)
  pipeline(answer.body, response, () => {})
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 4_096, () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
