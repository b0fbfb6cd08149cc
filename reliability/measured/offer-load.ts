import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** A load at a fixed rate, whatever becomes of it, as far as its connections reach: clients that do not wait for each other. */
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
  /** With 200, while the load was offered. */
  answered: number
  /** With 429 or 503. */
  refused: number
  refusedMsMedian: number
  refusedMs99: number
  /** No answer came. */
  broken: number
  /** Any other status: there must be none. */
  strange: number[]
}

const TICK_MS = 10
/** Each with one request at a time: more would only keep this thread busy. */
const CONNECTIONS = 8_192

async function offer({ baseUrl, key, path, headers, body, perSecond, forMs }: Offer): Promise<Offered> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const bytes = Buffer.from(body)
  const told: Offered = {
    sent: 0,
    answered: 0,
    refused: 0,
    refusedMsMedian: 0,
    refusedMs99: 0,
    broken: 0,
    strange: [],
  }
  const refusals: number[] = []
  let open = 0
  const beganMs = performance.now()
  const send = () => {
    const atMs = performance.now()
    told.sent += 1
    open += 1
    const call = request(`${baseUrl}${path}`, {
      method: 'POST',
      agent,
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-length': bytes.length },
    })
    call.on('close', () => {
      open -= 1
    })
    call.on('error', () => {
      if (performance.now() - beganMs < forMs) told.broken += 1
    })
    call.on('response', (answer) => {
      answer.resume()
      const { statusCode = 0 } = answer
      if (performance.now() - beganMs >= forMs) return
      if (statusCode === 200) told.answered += 1
      else if (statusCode === 429 || statusCode === 503 || statusCode === 529) {
        told.refused += 1
        refusals.push(performance.now() - atMs)
      } else told.strange.push(statusCode)
    })
    call.end(bytes)
  }
  for (let nowMs = 0; nowMs < forMs; nowMs = performance.now() - beganMs) {
    while (told.sent < (nowMs / 1_000) * perSecond && open < CONNECTIONS) send()
    await delay(TICK_MS)
  }
  agent.destroy()
  refusals.sort((a, b) => a - b)
  told.refusedMsMedian = refusals[refusals.length >> 1] ?? 0
  told.refusedMs99 = refusals[Math.floor(refusals.length * 0.99)] ?? 0
  return told
}

// After everything that it uses.
if (parentPort !== null) parentPort.postMessage(await offer(workerData))
