import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import type { Operation } from '../operation.ts'
import { DoorConnection, type DoorParts } from './door-connection.ts'
import { mayHaveChunks, paceChunks } from './pace-chunks.ts'
import { TurnBudget } from './turn-budget.ts'

/** Idle connections stay open this much longer than announced, so that no request meets the end. */
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
      if (mayHaveChunks(bytes)) paceChunks(socket, nodeBudget)
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
    for (const connection of connections) connection.checkTime(limits)
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
