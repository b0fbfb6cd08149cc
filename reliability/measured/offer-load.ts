import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Offers a load at a fixed rate, whatever the answers are: the clients do not wait for each other. They write to bare
 * sockets, since a client that builds and parses every message would be busier than the gateway that it measures.
 */
export interface Offer {
  baseUrl: string
  key: string
  path: string
  headers: Record<string, string>
  body: string
  perSecond: number
  forMs: number
}

export interface Offered {
  sent: number
  /** Requests for which no connection was free: the load was less than it should be. */
  unsent: number
  /** Number of answers with 200, while the load was offered. */
  answered: number
  /** Number of answers with 429, 503 or 529, by status and message. */
  refused: Record<string, number>
  refusedMsMedian: number
  refusedMs99: number
  answeredMsMedian: number
  /** Number of requests without an answer. */
  broken: number
  /** Other statuses; the test expects none. */
  strange: number[]
}

const TICK_MS = 10
const SETTLE_MS = 2_000
/** Number of connections, each with one request at a time; open before the load begins, as behind a load balancer. */
const CONNECTIONS = 2_048
const REFUSED = new Set([429, 503, 529])
const STATUS_AT = 'HTTP/1.1 '.length
const HEAD_END = '\r\n\r\n'

interface Client {
  socket: Socket
  /** While it waits for an answer. */
  sentAtMs: number | undefined
  text: string
}

async function offer({ perSecond, forMs, ...parts }: Offer): Promise<Offered> {
  const target = new URL(parts.baseUrl)
  const request = writeRequest(target, parts)
  const answeredMs: number[] = []
  const refusedMs: number[] = []
  const refused: Record<string, number> = {}
  const strange: number[] = []
  const free: Client[] = []
  let sent = 0
  let unsent = 0
  let broken = 0
  let open = 0
  let beganMs = Number.POSITIVE_INFINITY
  const isOver = () => performance.now() - beganMs >= forMs

  function note(text: string, tookMs: number): void {
    if (isOver()) return
    const status = Number(text.slice(STATUS_AT, STATUS_AT + 3))
    if (status === 200) answeredMs.push(tookMs)
    else if (REFUSED.has(status)) {
      refusedMs.push(tookMs)
      const why = `${status} ${/"message":"([^"]*)/.exec(text)?.[1]}`
      refused[why] = (refused[why] ?? 0) + 1
    } else strange.push(status)
  }

  function dial(): Client {
    const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const client: Client = { socket, sentAtMs: undefined, text: '' }
    open += 1
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      client.text += piece
      if (client.sentAtMs === undefined || !isWhole(client.text)) return
      note(client.text, performance.now() - client.sentAtMs)
      client.text = ''
      client.sentAtMs = undefined
      free.push(client)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open -= 1
      if (client.sentAtMs !== undefined && !isOver()) broken += 1
    })
    return client
  }

  function findFree(): Client | undefined {
    // The longest free one: the gateway closes connections on which no request comes.
    for (let client = free.shift(); client !== undefined; client = free.shift())
      if (client.socket.writable) return client
    return open < CONNECTIONS ? dial() : undefined
  }

  while (open < CONNECTIONS) {
    const client = dial()
    await once(client.socket, 'connect')
    free.push(client)
  }
  // A connection that the kernel has accepted may still wait for the gateway.
  await delay(SETTLE_MS)
  beganMs = performance.now()
  for (let nowMs = 0; nowMs < forMs; nowMs = performance.now() - beganMs) {
    while (sent + unsent < (nowMs / 1_000) * perSecond) {
      const client = findFree()
      if (client === undefined) {
        unsent += 1
        continue
      }
      sent += 1
      client.sentAtMs = performance.now()
      client.socket.write(request)
    }
    await delay(TICK_MS)
  }
  return {
    ...{ sent, unsent, broken, strange, refused },
    answered: answeredMs.length,
    answeredMsMedian: quantileOf(answeredMs, 0.5),
    refusedMsMedian: quantileOf(refusedMs, 0.5),
    refusedMs99: quantileOf(refusedMs, 0.99),
  }
}

function writeRequest(
  target: URL,
  { key, path, headers, body }: Pick<Offer, 'key' | 'path' | 'headers' | 'body'>,
) {
  const all = {
    host: target.host,
    ...headers,
    authorization: `Bearer ${key}`,
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}${HEAD_END}${body}`)
}

/** Every answer of the gateway to this request says its length. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd === -1) return false
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1])
  return text.length >= headEnd + HEAD_END.length + length
}

function quantileOf(values: readonly number[], quantile: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * quantile)] ?? 0
}

// Stands last, because it uses the constants above.
if (parentPort !== null) parentPort.postMessage(await offer(workerData))
