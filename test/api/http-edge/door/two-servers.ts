import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { announcesBody } from '../../../../src/http/body/request-body.ts'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import type { RawReply, RawRequest } from '../../../../src/http/raw.ts'
import { MemorySocket } from './memory-socket.ts'

export const HOT_PATH = '/v1/messages'

const HOT_OPERATIONS = [
  { isHot: true, method: 'POST', path: HOT_PATH },
  { isHot: true, method: 'GET', path: '/v1/models' },
  { isHot: true, method: 'GET', path: '/v1/videos/:id' },
] as Operation[]

/** A request as a server has read it. */
export interface SeenRequest {
  method: string | undefined
  url: string | undefined
  headers: object
  rawHeaders: readonly string[]
  /** Undefined: its end did not come. */
  body: string | undefined
}

/** Everything that a server made of the bytes of one connection. */
export interface Reading {
  requests: SeenRequest[]
  /** Number of requests that the fast door read. */
  byDoor: number
  /** Whether it refused something. */
  isRefused: boolean
  /** Everything it wrote, without dates. */
  written: string
}

export interface ReadingServer {
  /** Gives it these packets, each in a turn of its own, on a new connection. */
  read(packets: readonly Buffer[]): Promise<Reading>
}

const TIMEOUTS = { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 }

/** The options of the gateway's server. */
const OPTIONS = {
  ...{ headersTimeout: TIMEOUTS.headersMs, requestTimeout: TIMEOUTS.requestMs },
  keepAliveTimeout: TIMEOUTS.keepAliveMs,
  maxHeaderSize: 40 * 1024,
  ...{ requireHostHeader: false, optimizeEmptyRequests: true },
}

/** Node's own server, alone or behind the fast door. Both answer each request with the length of its body. */
export function readingServer(hasDoor: boolean): ReadingServer {
  const readings = new WeakMap<object, Reading>()
  const server: Server = createServer(OPTIONS)
  const serve = (raw: RawRequest, response: RawReply, isDoor: boolean) => {
    const reading = readings.get(raw.socket)
    const { method, url, headers, rawHeaders } = raw
    const seen: SeenRequest = { method, url, headers: { ...headers }, rawHeaders, body: undefined }
    reading?.requests.push(seen)
    if (reading !== undefined && isDoor) reading.byDoor += 1
    const chunks: Buffer[] = []
    raw.on('data', (chunk) => void chunks.push(Buffer.from(chunk)))
    raw.on('error', () => {})
    const answer = () => {
      seen.body = Buffer.concat(chunks).toString('latin1')
      const length = `${seen.body.length}`
      response.writeHead(200, { 'content-length': length.length })
      response.end(length, 'latin1')
    }
    // Node does not report the end of a body that no header announces.
    if (announcesBody(raw) || 'content-length' in raw.headers) raw.on('end', answer)
    else answer()
  }
  server.on('request', (raw, response) => serve(raw, response, false))
  // The connection stays open here: requests before the refused bytes are answered.
  server.on('clientError', (_error, socket) => {
    const reading = readings.get(socket)
    if (reading !== undefined) reading.isRefused = true
  })
  server.on('upgrade', (_raw, socket) => socket.destroy())
  server.on('connect', (_raw, socket) => socket.destroy())
  if (hasDoor) {
    openDoor({
      server,
      operations: HOT_OPERATIONS,
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      timeouts: TIMEOUTS,
      checkEveryMs: 5_000,
      isLeaving: () => false,
      serve: (raw, response) => serve(raw, response, true),
    })
  }
  return {
    async read(packets) {
      const socket = new MemorySocket()
      const reading: Reading = { requests: [], byDoor: 0, isRefused: false, written: '' }
      readings.set(socket, reading)
      server.emit('connection', socket as unknown as Socket)
      for (const packet of packets) {
        socket.arrive(packet)
        await turns(1)
      }
      // The door begins 32 requests in a turn, and 200 connections are read together: requests wait for up to 7 turns.
      for (let seen = -1; seen !== socket.written.length; ) {
        seen = socket.written.length
        await turns(12)
      }
      socket.destroy()
      await turns(1)
      reading.requests = reading.requests.filter(({ body }) => body !== undefined)
      reading.written = socket.written.replace(/^Date: .*\r\n/gm, '')
      return reading
    },
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
