import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import { UPSTREAM_REPLIES, type UpstreamReplies } from '../text/upstream-replies.ts'

/**
 * The vendor behind every gateway of the text benchmarks: whole replies and streams of 100 events, both sent whole, or
 * one event every 50 ms where the model's name contains `paced`. A paced event holds its departure time.
 */
const EVENTS = 100
const EVENT_EVERY_MS = 50

const DIALECTS = new Map<string, Dialect>([
  ['/v1/messages', 'messages'],
  ['/v1/responses', 'responses'],
  ['/v1/chat/completions', 'chat'],
])

const WHOLE_STREAMS = new Map(
  Object.entries(UPSTREAM_REPLIES).map(([dialect, { opening, delta, closing }]) => [
    dialect,
    Buffer.from(opening + delta('Water rises in ').repeat(EVENTS) + closing),
  ]),
)

const answer: RequestListener = (request, response) => {
  const dialect = DIALECTS.get(request.url?.split('?', 1)[0] ?? '')
  if (dialect === undefined) {
    response.writeHead(404).end()
    return
  }
  // Only the ends of a big request are read: its images are in between.
  let head = ''
  let tail = ''
  request.on('data', (chunk: Buffer) => {
    if (head === '') head = chunk.toString('latin1', 0, 4_096)
    tail = chunk.toString('latin1', Math.max(0, chunk.length - 4_096))
  })
  request.on('end', () => {
    const said = head + tail
    if (!said.includes('"stream":true')) sendWhole(response, UPSTREAM_REPLIES[dialect].whole)
    else if (said.includes('paced')) sendPaced(response, UPSTREAM_REPLIES[dialect])
    else startStream(response).end(WHOLE_STREAMS.get(dialect))
  })
}

function sendWhole(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function startStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}

function sendPaced(response: ServerResponse, { opening, delta, closing }: UpstreamReplies): void {
  startStream(response).write(opening)
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    if (sent <= EVENTS) {
      // One clock for every process of a machine.
      response.write(delta(`left=${process.hrtime.bigint()}; `))
      return
    }
    clearInterval(timer)
    response.end(closing)
  }, EVENT_EVERY_MS)
  response.on('close', () => clearInterval(timer))
}

const { CERTIFICATE, CERTIFICATE_KEY } = process.env
const isPlain = CERTIFICATE === undefined
const server = isPlain
  ? createServer(answer)
  : createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, answer)
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 4_096, () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    console.log(`${isPlain ? 'http' : 'https'}://127.0.0.1:${address.port}`)
})
