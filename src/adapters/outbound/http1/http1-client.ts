import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as openTls } from 'node:tls'
import errors from 'undici/lib/core/errors.js'
import { type ConnectionOwner, Http1Connection, type SilenceTicks, toError } from './connection.ts'
import { createHeadWriter, type WireRequest } from './request-head.ts'
import { WireCall, type WireHandler } from './wire-call.ts'

const { ClientDestroyedError } = errors

export interface Http1ClientOptions {
  origin: URL
  connections: number
  connectTimeoutMs: number
  /** undefined: the system resolves names. */
  lookup?: LookupFunction | undefined
  /** Time limits until the head, and between two chunks of the body; 0: no limit. */
  headersTimeoutMs: number
  bodyTimeoutMs: number
  /** Replaces the socket in tests. */
  open?: OpenSocket
}

const TICK_MS_MAX = 500
const TICK_MS_MIN = 10
/** Silence after which a connection may serve another organization. */
const SILENT_MS_MIN = 1_000

/** Keep-alive connections to one origin, with one call at a time on each. Nothing is sent twice. */
export class Http1Client implements ConnectionOwner {
  readonly #limit: number
  readonly #open: OpenSocket
  readonly #writeHead: ReturnType<typeof createHeadWriter>
  readonly #tickMs: number
  readonly #silence: SilenceTicks
  readonly #connections = new Set<Http1Connection>()
  readonly #opening = new Set<WireCall>()
  /** Free connections, used from the end, so that superfluous ones expire. */
  readonly #free: Http1Connection[] = []
  /** Connections that became free in this turn of the event loop. */
  #settling: Http1Connection[] = []
  /** Calls that got a free connection, written at the end of this turn. */
  #assigned: [Http1Connection, WireCall][] = []
  /** Calls without a connection. */
  readonly #waiting: WireCall[] = []
  #isScheduled = false
  #ticker: NodeJS.Timeout | undefined
  #isDestroyed = false
  readonly #closed = Promise.withResolvers<void>()

  constructor(options: Http1ClientOptions) {
    const { origin, connections, headersTimeoutMs, bodyTimeoutMs } = options
    this.#limit = connections
    this.#open = options.open ?? socketOpener({ ...options, timeoutMs: options.connectTimeoutMs })
    this.#writeHead = createHeadWriter(origin)
    const shortestMs = Math.min(headersTimeoutMs || Infinity, bodyTimeoutMs || Infinity)
    this.#tickMs = Math.min(TICK_MS_MAX, Math.max(TICK_MS_MIN, Math.floor(shortestMs / 4)))
    this.#silence = { head: this.#ticksOf(headersTimeoutMs), body: this.#ticksOf(bodyTimeoutMs) }
  }

  /** Number of connections without a call. */
  get idle(): number {
    return this.#free.length + this.#settling.length
  }

  dispatch(request: WireRequest, handler: WireHandler): void {
    const call = new WireCall(request, handler)
    try {
      if (this.#isDestroyed) throw new ClientDestroyedError()
      call.head = this.#writeHead(request)
    } catch (error) {
      handler.onResponseError?.(call, toError(error))
      return
    }
    this.#assign(call)
  }

  /** Fails unfinished calls. Resolves when all connections are closed. */
  destroy(): Promise<void> {
    this.#isDestroyed = true
    const error = new ClientDestroyedError()
    const unsent = [
      ...this.#waiting.splice(0),
      ...this.#assigned.splice(0).map(([, call]) => call),
      ...this.#opening,
    ]
    this.#opening.clear()
    for (const call of unsent) call.handler.onResponseError?.(call, error)
    for (const connection of this.#connections) connection.destroy(error)
    if (this.#connections.size === 0) this.#closed.resolve()
    return this.#closed.promise
  }

  onFree(connection: Http1Connection): void {
    this.#settling.push(connection)
    this.#schedule()
  }

  onClosed(connection: Http1Connection): void {
    this.#connections.delete(connection)
    for (const list of [this.#free, this.#settling]) {
      const at = list.indexOf(connection)
      if (at !== -1) list.splice(at, 1)
    }
    this.#serveNext()
    if (this.#connections.size > 0) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
    if (this.#isDestroyed) this.#closed.resolve()
  }

  #assign(call: WireCall): void {
    const hasRoom = this.#connections.size + this.#opening.size < this.#limit
    const connection = this.#takeFree(call.holder, hasRoom)
    if (connection !== undefined) {
      this.#assigned.push([connection, call])
      this.#schedule()
    } else if (hasRoom) this.#openFor(call)
    else this.#waiting.push(call)
  }

  /**
   * Takes a free connection. A connection of another organization is reused only after a pause, or when no other can be
   * opened: a duplicate reply of its vendor must not reach another organization.
   */
  #takeFree(holder: string, hasRoom: boolean): Http1Connection | undefined {
    const nowMs = performance.now()
    let other: Http1Connection | undefined
    for (let at = this.#free.length - 1; at >= 0; at -= 1) {
      const connection = this.#free[at]
      if (connection === undefined) break
      if (!connection.isOpen || nowMs >= connection.expiresMs) {
        this.#free.splice(at, 1)
        connection.destroy(new Error('expired'))
      } else if (connection.holder === holder) return this.#takeAt(at, connection)
      else if (!hasRoom || nowMs - (connection.expiresMs - connection.keptMs) >= SILENT_MS_MIN)
        other ??= connection
    }
    return other && this.#takeAt(this.#free.indexOf(other), other)
  }

  #takeAt(at: number, connection: Http1Connection): Http1Connection {
    if (at === this.#free.length - 1) this.#free.pop()
    else this.#free.splice(at, 1)
    return connection
  }

  #openFor(call: WireCall): void {
    this.#opening.add(call)
    this.#open((error, socket) => {
      const isWanted = this.#opening.delete(call)
      if (!isWanted) socket?.on('error', () => {}).destroy()
      else if (socket !== undefined) this.#add(socket).send(call)
      else {
        this.#serveNext()
        call.handler.onResponseError?.(call, error ?? new Error('no connection'))
      }
    })
  }

  #add(socket: Duplex): Http1Connection {
    const connection = new Http1Connection(socket, this, this.#silence)
    this.#connections.add(connection)
    this.#ticker ??= setInterval(() => this.#tick(), this.#tickMs).unref()
    return connection
  }

  #serveNext(): void {
    const call = this.#isDestroyed ? undefined : this.#waiting.shift()
    if (call !== undefined) this.#assign(call)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#endTurn())
  }

  /**
   * Writes to reused connections after the socket events of this turn, so that unexpected bytes or a close
   * that arrived before the request reach a connection without a call.
   */
  #endTurn(): void {
    this.#isScheduled = false
    const assigned = this.#assigned
    const settled = this.#settling
    this.#assigned = []
    this.#settling = []
    for (const [connection, call] of assigned) {
      if (connection.isOpen) connection.send(call)
      else this.#assign(call)
    }
    if (settled.length === 0) return
    const nowMs = performance.now()
    for (const connection of settled) {
      connection.expiresMs = nowMs + connection.keptMs
      this.#free.push(connection)
      this.#serveNext()
    }
  }

  #tick(): void {
    const nowMs = performance.now()
    for (const connection of this.#connections) connection.onTick(nowMs)
  }

  /** Converts a limit to ticks. A timeout is at most two ticks late. Time of a stopped process does not count. */
  #ticksOf(timeoutMs: number): number {
    return timeoutMs === 0 ? Infinity : Math.ceil(timeoutMs / this.#tickMs)
  }
}

const { ConnectTimeoutError } = errors

/** Opens a connection and calls `done` once. */
type OpenSocket = (done: (error: Error | undefined, socket?: Duplex) => void) => void

/** Delay of TCP keep-alive probes, which detect a dead connection. */
const PROBE_AFTER_MS = 60_000

/** Returns an opener of connections to one origin. Node checks certificates and resumes sessions. */
function socketOpener(
  input: Pick<Http1ClientOptions, 'origin' | 'lookup'> & { timeoutMs: number },
): OpenSocket {
  const { origin, timeoutMs, lookup } = input
  const isTls = origin.protocol === 'https:'
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const port = Number(origin.port || (isTls ? 443 : 80))
  // A TLS server name is not an address.
  const name = isIP(host) === 0 ? { servername: host } : {}
  let session: Buffer | undefined

  function open(): Socket {
    if (!isTls) return openPlain({ host, port, lookup })
    const socket = openTls({ host, port, lookup, ALPNProtocols: ['http/1.1'], session, ...name })
    return socket.on('session', (ticket) => {
      session = ticket
    })
  }

  return (done) => {
    const socket = open()
    socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS)
    const timer = setTimeout(() => {
      socket.destroy(new ConnectTimeoutError(`Connect Timeout Error (timeout: ${timeoutMs}ms)`))
    }, timeoutMs)
    const onError = (error: Error) => {
      clearTimeout(timer)
      done(error)
    }
    socket.once('error', onError)
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', onError)
      done(undefined, socket)
    })
  }
}
