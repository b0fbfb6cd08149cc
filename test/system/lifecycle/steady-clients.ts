import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'

export interface SteadyClients {
  answered(): number
  /** Statuses other than 200, and errors. */
  failures: readonly unknown[]
  /** Sends no further requests; resolves when the running ones are answered. */
  stop(): Promise<void>
}

interface SteadyRequest {
  path: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** A text request whose reply always costs the same. */
export const TEXT_REQUEST = {
  path: '/v1/messages',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({
    model: 'vendorD/text-large',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'a question' }],
  }),
} as const

/** Clients with one connection each, which call again after each answer, until stopped. */
export function steadyClients({
  baseUrl,
  key,
  count,
  request = { path: '/v1/models', method: 'GET' },
  pauseMs = 0,
}: {
  baseUrl: string
  key: string
  count: number
  request?: SteadyRequest
  /** Between an answer and the next request. */
  pauseMs?: number
}): SteadyClients {
  let stopped = false
  let answered = 0
  const failures: unknown[] = []
  const clients = Array.from({ length: count }, async () => {
    const pool = new Pool(baseUrl, { connections: 1 })
    while (!stopped) {
      try {
        const headers = { ...request.headers, authorization: `Bearer ${key}` }
        const { statusCode, body } = await pool.request({ ...request, headers })
        await body.dump()
        if (statusCode === 200) answered++
        else failures.push(statusCode)
      } catch (error) {
        failures.push(error)
      }
      if (pauseMs > 0) await delay(pauseMs)
    }
    await pool.close()
  })
  return {
    answered: () => answered,
    failures,
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}
