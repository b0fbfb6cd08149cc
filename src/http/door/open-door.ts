import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import type { Operation } from '../operation.ts'
import { currentResponse } from '../server/raw-answers.ts'
import { DoorConnection, type DoorParts } from './door-connection.ts'
import type { HotPaths } from './read-head.ts'
import { CHUNKS_OF_REFUSAL, TurnBudget } from './turn-budget.ts'

/** Idle connections stay open this much longer than announced: a request may arrive at the last moment. */
const KEPT_LONGER_MS = 1_000

export interface Door {
  /** Ends connections without a request. */
  closeIdle(): void
  cutAll(): void
}

interface DoorOptions extends Pick<DoorParts, 'serve' | 'isLeaving'> {
  server: Server
  operations: readonly Operation[]
  clock: Clock
  timeouts: { headersMs: number; requestMs: number; keepAliveMs: number }
  checkEveryMs: number
}

/**
 * Reads the requests of hot operations in front of Node's server. Every connection begins here; at the first request
 * that `readHead` does not accept, Node's server takes the connection with its bytes untouched.
 */
export function openDoor({ server, operations, clock, timeouts, checkEveryMs, ...rest }: DoorOptions): Door {
  const connections = new Set<DoorConnection>()
  const [toNode] = server.listeners('connection')
  if (toNode === undefined) throw new Error('the server takes no connections')
  server.removeAllListeners('connection')
  const nodeBudget = new TurnBudget()
  const leavingBudget = new TurnBudget()
  let ticks = 0
  let timer: NodeJS.Timeout | undefined
  const limits = {
    fresh: ticksOf(timeouts.headersMs),
    idle: ticksOf(timeouts.keepAliveMs + KEPT_LONGER_MS),
    body: ticksOf(timeouts.requestMs),
  }
  const parts: DoorParts = {
    ...rest,
    paths: hotPathsOf(operations),
    budget: new TurnBudget(),
    keepAliveLines: `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeouts.keepAliveMs / 1_000)}\r\n`,
    dateLine: dateLines(clock),
    tick: () => ticks,
    refuse(code, socket) {
      server.emit('clientError', Object.assign(new Error('not HTTP, or too slow'), { code }), socket)
    },
    handOver(connection, bytes) {
      connection.release()
      leave(connection)
      const { socket } = connection
      if (bytes !== undefined) socket.unshift(bytes)
      Reflect.apply(toNode, server, [socket])
      paceInput(socket, nodeBudget)
    },
    closed: leave,
  }
  server.on('connection', (socket: Socket) => {
    const connection = new DoorConnection(socket, parts)
    connections.add(connection)
    paceLeaving(socket, {
      // This budget is separate, so that requests do not wait while other connections are ended.
      budget: leavingBudget,
      isBusy: () => (connections.has(connection) ? !connection.isIdle : isBusyInNode(socket)),
      refuse: () => parts.refuse('HPE_INVALID_EOF_STATE', socket),
    })
    timer ??= setInterval(checkTimes, checkEveryMs).unref()
  })
  return {
    closeIdle() {
      for (const connection of connections) if (connection.isIdle) connection.socket.destroy()
    },
    cutAll() {
      for (const { socket } of connections) socket.destroy()
    },
  }

  function leave(connection: DoorConnection): void {
    connections.delete(connection)
    if (connections.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function checkTimes(): void {
    ticks += 1
    for (const one of connections)
      if (one.isLate(limits)) leavingBudget.begin(() => one.endIfLate(limits), CHUNKS_OF_REFUSAL)
  }

  /** Rounds up, because a part of the current tick has passed when a connection begins. */
  function ticksOf(ms: number): number {
    return Math.ceil(ms / checkEveryMs)
  }
}

/** A parameter in the path of a GET is one segment of plain characters. */
function hotPathsOf(operations: readonly Operation[]): HotPaths {
  const pathsOf = (wanted: Operation['method']) =>
    operations.flatMap(({ isHot, method, path }) => (isHot && method === wanted ? path.slice(1) : []))
  const gets = pathsOf('GET').map((path) => path.replaceAll(/:\w+/g, '[\\w.-]+'))
  return {
    gets: new RegExp(`^/(?:${gets.join('|')})$`),
    posts: new Set(pathsOf('POST').map((path) => `/${path}`)),
  }
}

/** Returns the `Date` line, which it writes anew at most once a second. */
function dateLines(clock: Clock): () => string {
  let second = -1
  let line = ''
  return () => {
    const now = Math.floor(clock.nowMs() / 1_000)
    if (now !== second) {
      second = now
      line = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`
    }
    return line
  }
}

/** Cost of a line in Node's parser, which calls back for each line. A chunk in the fast door costs 1. */
const COST_OF_LINE = 16
/** Cost of a piece within a body that has a length: Node's parser calls back once. */
const COST_OF_PIECE = 32
/** Lines that the parser reads at a time. A piece with fewer lines and at most one head costs nothing. */
const FREE_LINES = 64
const LF = 10
const CR = 13

/**
 * Gives Node's parser the input of a connection in pieces, with a limit on the lines of all connections in a turn of
 * the event loop: thousands of requests or of tiny chunks would take seconds otherwise.
 */
function paceInput(socket: Socket, budget: TurnBudget): void {
  const [parse = () => {}] = socket.listeners('data')
  socket.removeAllListeners('data')
  let rest: Buffer | undefined
  let isWaiting = false
  const connection = {
    goOn() {
      isWaiting = false
      if (socket.destroyed) return
      socket.resume()
      takeRest()
    },
  }

  function takeRest(): void {
    const bytes = rest
    rest = undefined
    if (bytes !== undefined) take(bytes)
  }

  function take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = pieceOf(bytes, at)
      const isFree = piece.lines < FREE_LINES && piece.heads < 2
      if (!isFree && budget.chunksLeft <= 0) {
        rest = bytes.subarray(at)
        isWaiting = true
        socket.pause()
        budget.whenFree(connection)
        return
      }
      const wasPlain = isWithinPlainBody(socket)
      Reflect.apply(parse, socket, [bytes.subarray(at, piece.end)])
      const isPlain = wasPlain && isWithinPlainBody(socket)
      if (!isFree) budget.use(isPlain ? COST_OF_PIECE : piece.lines * COST_OF_LINE)
      at = piece.end
      if (socket.destroyed) return
      // After an upgrade the socket has another owner. A client that has sent more before the answer is cut.
      if (Reflect.get(socket, 'parser') === null) {
        socket.removeListener('data', onData)
        socket.removeListener('resume', onResume)
        if (at < bytes.length) socket.destroy()
        return
      }
      if (socket.isPaused() && at < bytes.length) {
        rest = bytes.subarray(at)
        return
      }
    }
  }

  function onData(bytes: Buffer): void {
    if (rest === undefined) take(bytes)
    else rest = Buffer.concat([rest, bytes])
  }

  /** Node resumes the socket whenever a reader takes a part of the body. */
  function onResume(): void {
    if (isWaiting) socket.pause()
    else if (!socket.isPaused()) takeRest()
  }

  socket.on('data', onData)
  socket.on('resume', onResume)
}

/** After an upgrade a socket of Node's server has no parser, and counts as busy. */
function isBusyInNode(socket: Socket): boolean {
  return currentResponse(socket) !== undefined || Reflect.get(socket, 'parser') === null
}

/**
 * Ends a connection whose client has left: a few in a turn, because thousands may leave in one. Node calls `onread`
 * without bytes at the end of the input, and when the client has reset the connection.
 */
function paceLeaving(
  socket: Socket,
  { budget, isBusy, refuse }: { budget: TurnBudget; isBusy(): boolean; refuse(): void },
): void {
  const handle: { onread?: unknown } = Object(Reflect.get(socket, '_handle'))
  const { onread: read } = handle
  if (typeof read !== 'function') return
  const end = () => {
    const parser: { finish(): unknown } | undefined = Reflect.get(socket, 'parser')
    if (parser?.finish() instanceof Error) refuse()
    else socket.destroy()
  }
  handle.onread = (bytes?: ArrayBuffer) => {
    if (bytes !== undefined) return Reflect.apply(read, handle, [bytes])
    if (isBusy()) budget.begin(endIn(socket, () => Reflect.apply(read, handle, [])))
    else budget.begin(end, CHUNKS_OF_REFUSAL)
  }
}

/** Returns what Node does at the end of the input. Only now does Node know whether the client reset the connection. */
function endIn(socket: Socket, read: () => void): () => void {
  let end = () => socket.uncork()
  // A write to a client that has left would end the connection in this turn.
  socket.cork()
  socket.destroy = (error) => {
    end = () => void socket.destroy(error)
    return socket
  }
  socket.push = () => {
    end = () => {
      socket.uncork()
      socket.push(null)
      socket.read(0)
    }
    return false
  }
  read()
  Reflect.deleteProperty(socket, 'destroy')
  Reflect.deleteProperty(socket, 'push')
  return end
}

/** Whether the parser is within a body with a length, where line breaks have no meaning. */
function isWithinPlainBody(socket: Socket): boolean {
  const request = currentResponse(socket)?.req
  return request !== undefined && !request.complete && request.headers['transfer-encoding'] === undefined
}

/** The next lines of a packet, with the number of heads that end in them. */
function pieceOf(bytes: Buffer, start: number): { end: number; lines: number; heads: number } {
  let [lines, heads, end] = [0, 0, start]
  while (lines < FREE_LINES) {
    const at = bytes.indexOf(LF, end)
    if (at === -1) return { end: bytes.length, lines, heads }
    if (at === end || (at === end + 1 && bytes[end] === CR)) heads += 1
    lines += 1
    end = at + 1
  }
  return { end, lines, heads }
}
