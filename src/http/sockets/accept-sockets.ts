import { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject } from '@sluice/dialects/json/json-object'
import { readCreateEvent } from '@sluice/dialects/responses/socket/create-event'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BodyLog } from '../../app/requests/record-bodies.ts'
import type { SessionRoom } from '../../app/text/contract/reply-session.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { NewId } from '../../ports/secrets.ts'
import { type BodyGauge, type BodyLimits, createBodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { parseInTurn } from '../body/json-body.ts'
import { announcesBody } from '../body/request-body.ts'
import { TurnBudget } from '../door/turn-budget.ts'
import type { EdgeReply } from '../edge-reply.ts'
import { EdgeRequest, type Route } from '../edge-request.ts'
import { addAnswerHeaders } from '../errors/answer-headers.ts'
import { createLoadGauge, type LoadLimits } from '../limits/load-gauge.ts'
import type { Operation } from '../operation.ts'
import type { DrainState } from '../server/draining.ts'
import { noteRawStatus } from '../server/raw-answers.ts'
import type { StepRunner } from '../server/run-steps.ts'
import type { Handle, Step } from '../step.ts'
import { Connection } from './connection.ts'
import { TurnReply } from './turn.ts'

/** Times of WebSocket connections, which tests shorten. */
export interface SocketTimes {
  tickMs: number
  idleMs: number
}

const TIMES: SocketTimes = { tickMs: 15_000, idleMs: 600_000 }

/** Sessions of connections may hold one quarter of the bytes that bodies may hold. They are counted separately. */
const SESSION_MEMORY_DIVISOR = 4

export interface SocketParts {
  newId: NewId
  clock: Clock
  drain: DrainState
  bodies: BodyGauge
  turns: BodyTurns
  bodyLog?: Pick<BodyLog, 'begin'> | undefined
  watch: BodyWatch
  limits: LoadLimits & BodyLimits
  sockets?: SocketTimes | undefined
  connections: Set<Connection>
}

/** Whether a request asks for a WebSocket at a path that has one. Other upgrades are ordinary requests. */
export function createIsSocketRequest(operations: readonly Operation[]): (raw: IncomingMessage) => boolean {
  const paths = new Set(operations.filter(({ takesSockets }) => takesSockets).map(({ path }) => path))
  return (raw) => {
    const { method, url = '', headers } = raw
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || announcesBody(raw)) return false
    const [path = ''] = url.split('?', 1)
    return paths.has(path)
  }
}

/** Pings connections, a few in a turn, and ends silent ones. Returns a function that ends all when the process stops. */
export function watchSockets(
  input: Pick<SocketParts, 'drain' | 'connections' | 'sockets'> & { metrics: Metrics },
): () => void {
  const { metrics, drain, connections, sockets = TIMES } = input
  const budget = new TurnBudget()
  const leave = () => {
    for (const one of [...connections]) one.leave()
  }
  const timer = setInterval(() => {
    for (const one of connections) budget.begin(() => one.tick())
  }, sockets.tickMs).unref()
  metrics.watchSockets(() => connections.size)
  drain.leaving.addEventListener('abort', leave)
  return () => {
    clearInterval(timer)
    leave()
  }
}

/**
 * Handles the request that opens a WebSocket, after the guard steps of its path. Each event then goes through these
 * steps again, with the rules and the handler of the operation's POST.
 */
export function acceptSockets(
  { route, body, limitBytes }: { route: Route; body: NonNullable<Operation['body']>; limitBytes: number },
  serveBy: (steps: readonly Step[]) => StepRunner,
  { newId, clock, drain, bodies, turns, bodyLog, watch, limits, sockets = TIMES, connections }: SocketParts,
): Handle {
  const upgrades = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, autoPong: false },
    // One event or ping of a connection per turn: a packet of 64 KiB may contain ten thousand of them.
    allowSynchronousEvents: false,
    ...{ maxPayload: limitBytes, handleProtocols: () => false },
  })
  const gauge = createLoadGauge({ inFlightMax: limits.inFlightMax, lagMsMax: Number.POSITIVE_INFINITY })
  const remembered = createBodyGauge({
    bodyBytesMax: limits.bodyBytesMax / SESSION_MEMORY_DIVISOR,
    bodyBytesEachMax: limits.bodyBytesEachMax / SESSION_MEMORY_DIVISOR,
  })
  const parse = parseInTurn(body, { turns, bodyLog })
  /** Responses to events that came while another response ran. */
  const extras = new WeakSet<EdgeReply>()
  const serveEvent = serveBy([
    (_request, reply, done) => done(extras.has(reply) ? oneAtATime() : undefined),
    (request, reply, done) => parse(request.bodyBytes ?? Buffer.alloc(0), request, reply, done),
    takeEvent,
  ])

  return (request, { raw: response }) => {
    const holder = request.caller.organizationId
    const apiError = gauge.apiErrorFor(holder)
    if (apiError !== undefined) throw tooMany(apiError)
    if (response.destroyed) return
    const { raw } = request
    // Upgrades always come from Node's server; this line only narrows the types.
    if (!(raw instanceof IncomingMessage) || !(response instanceof ServerResponse)) return
    const ws = upgrade(request, raw)
    gauge.begin(holder)
    response.detachSocket(raw.socket)
    noteRawStatus(response, 101)
    response.emit('close')
    open(ws, raw, holder)
  }

  /** Throws for an invalid handshake. */
  function upgrade(request: EdgeRequest, raw: IncomingMessage): WebSocket {
    let opened: WebSocket | undefined
    let problem = 'The WebSocket handshake is not valid.'
    const addHeaders = (lines: string[]) => {
      const headers = {}
      addAnswerHeaders(request, headers)
      for (const [header, value] of Object.entries(headers)) lines.push(`${header}: ${value}`)
    }
    const refuse = (error: Error) => {
      problem = `${error.message}.`
    }
    upgrades.on('headers', addHeaders).on('wsClientError', refuse)
    upgrades.handleUpgrade(raw, raw.socket, Buffer.alloc(0), (ws) => {
      opened = ws
    })
    upgrades.off('headers', addHeaders).off('wsClientError', refuse)
    if (opened === undefined) throw new ApiError('malformed_request', { message: problem })
    return opened
  }

  function open(ws: WebSocket, raw: IncomingMessage, holder: string): void {
    const headers = headersOf(raw)
    const connection = new Connection({
      ...{ ws, socket: raw.socket, holder, bodies, watch, clock, turns },
      room: roomOf(holder),
      idleMs: sockets.idleMs,
      onFrame(frame, { session }, heldBytes) {
        turns.book.begin(holder)
        const notes = { session, isWarmUp: false }
        const event = new EdgeRequest({ id: newId('req'), raw, route, headers, query: {}, event: notes })
        const reply = new TurnReply(event, raw, connection)
        event.bodyBytes = frame
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

/** Removes the beta flag of this transport, and the `idempotency-key`, which belongs to one request. */
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
