import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { readCreateEvent } from '@sluice/dialects/responses/socket/create-event'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SessionRoom } from '../../app/text/contract/reply-session.ts'
import { ApiError } from '../../domain/api-error.ts'
import { isJsonObject } from '../../domain/json-object.ts'
import { authenticate } from '../access/authenticate.ts'
import { type BodyLimits, createBodyGauge } from '../body/body-gauge.ts'
import { parseInTurn } from '../body/json-body.ts'
import { announcesBody } from '../body/request-body.ts'
import type { EdgeReply, EdgeRequest, Step } from '../edge-request.ts'
import { answerHeaders } from '../errors/answer-headers.ts'
import { createLoadGauge, type LoadLimits } from '../limits/load-gauge.ts'
import type { HotOperation, Operation } from '../operation.ts'
import { limitOf } from '../server/register-operations.ts'
import { noteRawStatus } from '../server/response-sink.ts'
import { afterAnswers } from '../server/serve-in-order.ts'
import { ShortReply, ShortRequest, type ShortWayParts, stepRunner } from '../server/short-way.ts'
import { Connection } from './connection.ts'
import { TurnReply, TurnRequest } from './turn.ts'

/** For tests; left out: as below. */
export interface SocketTimes {
  tickMs: number
  idleMs: number
}

const TIMES: SocketTimes = { tickMs: 15_000, idleMs: 600_000 }

/** What connections remember together, as a part of the bodies that may be held. */
const REMEMBERED_SHARE = 4

interface SocketParts extends ShortWayParts {
  limits: LoadLimits & BodyLimits
  sockets?: SocketTimes | undefined
}

/** Whether a request asks for a WebSocket where there is one. Every other wish for an upgrade is an ordinary request. */
export function socketAsker(operations: readonly Operation[]): (raw: IncomingMessage) => boolean {
  const paths = new Set(operations.filter(takesSockets).map(({ path }) => path))
  return (raw) => {
    const { method, url = '', headers } = raw
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || announcesBody(raw)) return false
    return paths.has(pathOf(url))
  }
}

type SocketOperation = HotOperation & { body: NonNullable<HotOperation['body']> }

function takesSockets(operation: Operation): operation is SocketOperation {
  return operation.isHot === true && operation.takesSockets === true && operation.body !== undefined
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/**
 * Serves operations over WebSockets. The request that opens one goes through the steps of every request and is refused as
 * one; then each event goes through them again, with the rules and the handler of the operation's POST.
 */
export function openSockets(
  server: FastifyInstance,
  operations: readonly Operation[],
  parts: SocketParts,
): void {
  const accept = new Map(operations.filter(takesSockets).map((row) => [row.path, acceptor(row, parts)]))
  const connections = new Set<Connection>()
  parts.metrics.watchSockets(() => connections.size)
  const asks = socketAsker(operations)
  server.server.on('upgrade', (raw, socket, head) => {
    socket.on('error', () => socket.destroy())
    // Where the server listens the sockets are TCP's.
    if (!(socket instanceof Socket)) socket.destroy()
    else
      afterAnswers(socket, () => {
        if (asks(raw)) accept.get(pathOf(raw.url ?? ''))?.({ raw, socket, head }, connections)
        // Node before 24.9 does not ask which upgrades are wanted.
        else server.server.emit('request', raw, responseOn(socket, raw))
      })
  })
  const timer = setInterval(() => each(connections, (one) => one.tick()), (parts.sockets ?? TIMES).tickMs)
  timer.unref()
  const leave = () => each(connections, (one) => one.leave())
  parts.drain.leaving.addEventListener('abort', leave)
  server.addHook('preClose', async () => {
    clearInterval(timer)
    leave()
  })
}

function each(connections: ReadonlySet<Connection>, visit: (connection: Connection) => void): void {
  for (const connection of [...connections]) visit(connection)
}

interface Upgrade {
  raw: IncomingMessage
  socket: Socket
  head: Buffer
}

function acceptor(operation: SocketOperation, parts: SocketParts) {
  const { path: url, area, body, id: operationId } = operation
  const { newId, enter, tracing, answerError, limits, drain } = parts
  const route = { url, config: { area } }
  const upgrades = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    // One event or ping of a connection in a turn: a packet of 64 KiB may hold ten thousand of them.
    allowSynchronousEvents: false,
    ...{ maxPayload: limitOf(area, body, parts), handleProtocols: () => false },
  })
  const gauge = createLoadGauge({ inFlightMax: limits.inFlightMax, lagMsMax: Number.POSITIVE_INFINITY })
  const remembered = createBodyGauge({
    bodyBytesMax: limits.bodyBytesMax / REMEMBERED_SHARE,
    bodyBytesEachMax: limits.bodyBytesEachMax / REMEMBERED_SHARE,
  })
  const first: readonly Step[] = [
    ...(tracing === undefined ? [] : [tracing.begin]),
    enter,
    (request, _reply, done) => {
      request.operationId = operationId
      done()
    },
    authenticate({ ...parts, area }),
  ]
  const parse = parseInTurn(body, parts.turns)
  /** The answers to events that came while a response ran. */
  const extras = new WeakSet<EdgeReply>()
  const serveEvent = stepRunner(
    [
      ...first,
      (_request, reply, done) => done(extras.has(reply) ? oneAtATime() : undefined),
      (request, reply, done) => parse(frameOf(request), request, reply, done),
      takeEvent,
      ...(tracing === undefined ? [] : [tracing.resume]),
    ],
    operation.handle(parts),
    answerError,
  )

  return ({ raw, socket, head }: Upgrade, connections: Set<Connection>): void => {
    const response = responseOn(socket, raw)
    const request = new ShortRequest(newId('req'), raw, 'GET', route)
    const handle = async (): Promise<void> => {
      const holder = request.caller.organizationId
      const apiError = gauge.apiErrorFor(holder)
      if (apiError !== undefined) throw tooMany(apiError)
      if (response.destroyed) return
      const ws = upgrade(request, { raw, socket, head })
      gauge.begin(holder)
      response.detachSocket(socket)
      noteRawStatus(response, 101)
      response.emit('close')
      open(ws, { raw, socket, holder, connections })
    }
    stepRunner(first, handle, answerError)(request, new ShortReply(request, response))
  }

  /** Throws for a handshake that is none. */
  function upgrade(request: EdgeRequest, { raw, socket, head }: Upgrade): WebSocket {
    let opened: WebSocket | undefined
    let problem = 'The WebSocket handshake is not valid.'
    const name = (lines: string[]) => {
      for (const [header, value] of Object.entries(answerHeaders(request))) lines.push(`${header}: ${value}`)
    }
    const refuse = (error: Error) => {
      problem = `${error.message}.`
    }
    upgrades.on('headers', name).on('wsClientError', refuse)
    upgrades.handleUpgrade(raw, socket, head, (ws) => {
      opened = ws
    })
    upgrades.off('headers', name).off('wsClientError', refuse)
    if (opened === undefined) throw new ApiError('malformed_request', { message: problem })
    return opened
  }

  function open(
    ws: WebSocket,
    {
      raw,
      socket,
      holder,
      connections,
    }: { raw: IncomingMessage; socket: Socket; holder: string; connections: Set<Connection> },
  ): void {
    const headers = headersOf(raw)
    const connection = new Connection({
      ...{ ws, socket, holder, bodies: parts.bodies, watch: parts.watch, clock: parts.clock },
      room: roomOf(holder),
      idleMs: (parts.sockets ?? TIMES).idleMs,
      onFrame(frame, { session }, heldBytes) {
        const event = new TurnRequest(newId('req'), { raw, headers, route, session, frame })
        const reply = new TurnReply(event, connection)
        event.heldBytes = heldBytes
        if (!connection.take(reply)) extras.add(reply)
        serveEvent(event, reply)
      },
      onClose() {
        connections.delete(connection)
        gauge.end(holder)
      },
    })
    connections.add(connection)
    if (drain.draining) connection.leaveAfterNext()
  }

  function roomOf(holder: string): SessionRoom {
    return {
      take: (bytes) => remembered.take(holder, bytes) === undefined,
      give: (bytes) => remembered.give(holder, bytes),
    }
  }
}

const takeEvent: Step = (request, _reply, done) => {
  const { event, bodyBytes, body } = request
  if (!request.isHeavy && event !== undefined && bodyBytes !== undefined) {
    if (!isJsonObject(body)) return done(new ApiError('invalid_json'))
    const { bytes, value, isWarmUp } = readCreateEvent(bodyBytes, body)
    request.bodyBytes = bytes
    request.body = value
    event.isWarmUp = isWarmUp
  }
  done()
}

function frameOf(request: EdgeRequest): Buffer {
  if (!(request instanceof TurnRequest)) throw new Error('only events come here')
  return request.frame
}

/** The flag that asks for this transport, and what belongs to one request alone, go no further. */
function headersOf({ headers }: IncomingMessage): IncomingMessage['headers'] {
  const betas = [headers['openai-beta']].flat().flatMap((value) => value?.split(',') ?? [])
  const others = betas.map((flag) => flag.trim()).filter((flag) => !flag.startsWith('responses_websockets='))
  const { 'openai-beta': _betas, 'idempotency-key': _key, ...rest } = headers
  return others.length === 0 ? rest : { ...rest, 'openai-beta': others.join(',') }
}

function oneAtATime(): ApiError {
  return new ApiError('rate_limit_exceeded', {
    message:
      'A connection runs one response at a time: wait for the end of the one that runs, or open another connection.',
  })
}

function tooMany(apiError: ApiError): ApiError {
  if (apiError.code !== 'rate_limit_exceeded') return apiError
  return new ApiError('rate_limit_exceeded', { message: 'Too many WebSocket connections at once.' })
}

/** For a plain answer, the last one on its connection: the parser has let go of it. */
function responseOn(socket: Socket, raw: IncomingMessage): ServerResponse {
  const response = new ServerResponse(raw)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => endLater(socket))
  return response
}

const LINGER_MS = 1_000

/** Not at once: a socket that is closed over unread bytes is reset, and a reset can overtake the answer. */
function endLater(socket: Socket): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
