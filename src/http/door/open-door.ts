import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import type { Operation } from '../operation.ts'
import { DoorConnection, type DoorParts } from './door-connection.ts'
import { TurnBudget } from './turn-budget.ts'

/** Idle connections stay open this much longer than announced, so that no request meets the end. */
const KEPT_LONGER_MS = 1_000

/** Late connections that are ended in one turn of the event loop. */
const ENDED_PER_TURN = 128

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
  let ticks = 0
  let timer: NodeJS.Timeout | undefined
  const limits = {
    fresh: ticksOf(timeouts.headersMs),
    idle: ticksOf(timeouts.keepAliveMs + KEPT_LONGER_MS),
    body: ticksOf(timeouts.requestMs),
  }
  const parts: DoorParts = {
    ...rest,
    paths: new Set(operations.flatMap(({ isHot, path }) => (isHot ? path : []))),
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
      paceChunks(socket, nodeBudget)
    },
    closed: leave,
  }
  server.on('connection', (socket: Socket) => {
    connections.add(new DoorConnection(socket, parts))
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
    endLate(connections.values())
  }

  function endLate(unchecked: Iterator<DoorConnection>): void {
    for (let late = 0; late < ENDED_PER_TURN; ) {
      const { value } = unchecked.next()
      if (value === undefined) return
      if (value.checkTime(limits)) late += 1
    }
    setImmediate(() => endLate(unchecked))
  }

  /** Rounded up, because a part of the current tick has passed when a connection begins. */
  function ticksOf(ms: number): number {
    return Math.ceil(ms / checkEveryMs)
  }
}

/** Writes the `Date` line once a second. */
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

/** Bytes of short lines that the parser reads at a time. */
const PIECE_BYTES = 2 * 1024
/** Factor between the cost of a chunk in Node's parser, which calls back for each one, and in the fast door. */
const COST_OF_LINE = 16
/** Pieces with fewer lines, such as most heads, do not count. */
const FREE_LINES = 64
const LF = 10

type Read = (bytes: Buffer) => void

/**
 * Gives Node's parser the input of a connection in pieces, with a limit on the lines of all connections in a turn of the
 * event loop: thousands of tiny chunks would take seconds otherwise.
 */
function paceChunks(socket: Socket, budget: TurnBudget): void {
  const [parse] = socket.listeners('data')
  if (parse === undefined) return
  const read: Read = (bytes) => void Reflect.apply(parse, socket, [bytes])
  socket.removeAllListeners('data')
  pace(socket, { read, budget })
}

/** Stops while Node's parser has enough, and while other connections use up the turn. */
function pace(socket: Socket, { read, budget }: { read: Read; budget: TurnBudget }): void {
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
      const piece = pieceOf(bytes.subarray(at))
      const lines = linesOf(piece)
      if (lines > FREE_LINES && budget.chunksLeft <= 0) {
        rest = bytes.subarray(at)
        isWaiting = true
        socket.pause()
        budget.whenFree(connection)
        return
      }
      if (lines > FREE_LINES) budget.use(lines * COST_OF_LINE)
      read(piece)
      at += piece.length
      // After an upgrade the socket has another owner. A client that sends more before its answer is at fault.
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

/** Errors of the parser show its input, so only short lines are divided. */
function pieceOf(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, PIECE_BYTES)
  return linesOf(start) > FREE_LINES ? start : bytes
}

function linesOf(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1
  return lines
}
