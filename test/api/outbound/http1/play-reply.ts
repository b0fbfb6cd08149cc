import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { WireRequest } from '../../../../src/adapters/outbound/http1/request-head.ts'
import { readUndiciError } from '../../../../src/adapters/outbound/read-undici-error.ts'
import { MemorySocket } from './memory-socket.ts'
import type { ReplyCase } from './reply-cases.ts'

/** Reply as its caller sees it. */
export interface Outcome {
  status: number | undefined
  headers: [string, unknown][]
  body: string
  /** `whole`, or the kind of the failure. */
  end: string
  /** Whether the next request went over the same connection. */
  isReused: boolean
}

export interface PlayedClient {
  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): unknown
  destroy(): Promise<unknown>
}

const REQUEST = { path: '/v1/messages', headers: { 'x-key': 'k' } }

/** Sends a request, lets the bytes arrive, asks for more if the connection is still good, and closes it. */
export async function playReply(
  { method, bytes, cuts, pauses }: ReplyCase,
  openClient: (open: () => Duplex) => PlayedClient,
): Promise<Outcome> {
  const sockets: MemorySocket[] = []
  const client = openClient(() => {
    const socket = new MemorySocket()
    sockets.push(socket)
    return socket
  })
  const first = record(pauses)
  client.dispatch({ ...REQUEST, method, body: method === 'POST' ? '{}' : null }, first.handler)
  await until(() => sockets[0]?.writes.length === 1)
  const [socket] = sockets
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    // A copy, because a reader may write into it.
    if (to > from && socket?.destroyed === false) socket.push(Buffer.from(bytes.subarray(from, to)))
    from = Math.max(from, to)
    await turn()
  }
  await untilQuiet(first)
  let isReused = false
  if (first.outcome.end === 'whole') {
    const second = record('never')
    client.dispatch({ ...REQUEST, method: 'GET', body: null }, second.handler)
    await untilQuiet(second)
    isReused = sockets.length === 1 && socket?.writes.length === 2
  } else if (socket?.destroyed === false) {
    socket.push(null)
    await until(() => first.outcome.end !== '')
  }
  for (const each of sockets) each.destroy()
  await client.destroy()
  return { ...first.outcome, isReused }
}

interface Recording {
  outcome: Outcome
  handler: Dispatcher.DispatchHandler
  /** Resolves at the end of the call. */
  over: Promise<void>
}

export function record(pauses: ReplyCase['pauses']): Recording {
  const outcome: Outcome = { status: undefined, headers: [], body: '', end: '', isReused: false }
  const over = Promise.withResolvers<void>()
  const pause = (controller: Dispatcher.DispatchController) => {
    controller.pause()
    setImmediate(() => controller.resume())
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(controller, status, headers) {
      if (status < 200) return
      outcome.status = status
      outcome.headers = Object.entries(headers)
      if (pauses !== 'never') pause(controller)
    },
    onResponseData(controller, chunk) {
      outcome.body += chunk.toString('latin1')
      if (pauses === 'always') pause(controller)
    },
    onResponseEnd() {
      outcome.end += 'whole'
      over.resolve()
    },
    onResponseError(_controller, error) {
      outcome.end += readUndiciError(error, { wasSent: true }).kind
      over.resolve()
    },
  }
  return { outcome, handler, over: over.promise }
}

/** A reply that is paused at each piece takes a turn of the event loop for each piece. */
async function untilQuiet({ outcome }: Recording): Promise<void> {
  for (let quietTurns = 0, before = ''; quietTurns < 4; quietTurns++) {
    await turn()
    const now = `${outcome.status} ${outcome.body.length} ${outcome.end}`
    if (now !== before) quietTurns = 0
    before = now
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turns = 0; !isTrue(); turns++) {
    if (turns > 1_000) throw new Error('nothing happens any more')
    await turn()
  }
}
