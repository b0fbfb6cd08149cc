import { pause } from './pause.ts'
import { errorOf } from './sluice-error.ts'

export interface SluiceOptions {
  /** Address of the gateway, without `/v1`. */
  baseUrl: string
  apiKey: string
  /** Left out: the global `fetch`. */
  fetch?: typeof fetch
  /** Further attempts after a failed connection, 429 or 503, for calls that are safe to repeat. Left out: 2. */
  retries?: number
}

export interface SentRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Readonly<Record<string, string | number | undefined>>
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Whether the request is safe to repeat. Left out: true for GET, otherwise false. */
  isRepeatable?: boolean
}

export interface Call {
  json<Reply>(path: string, request?: SentRequest): Promise<Reply>
  send(path: string, request?: SentRequest): Promise<Response>
}

const PAUSE_MS = 500
/** A response that asks for a longer wait is thrown as an error, so that the caller decides. */
const RETRY_AFTER_SECONDS_MAX = 60

export function createCall({ baseUrl, apiKey, retries = 2, ...options }: SluiceOptions): Call {
  // The global `fetch` throws when it is called as a method of another object.
  const request: typeof fetch = options.fetch ?? ((...args) => fetch(...args))

  async function send(path: string, sent: SentRequest = {}): Promise<Response> {
    const { method = 'GET', query, body, headers, signal, isRepeatable = method === 'GET' } = sent
    const url = new URL(`${baseUrl.replace(/\/$/, '')}${path}`)
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: signal ?? null,
    }
    for (let attempt = 0; ; attempt += 1) {
      const isLast = !isRepeatable || attempt >= retries
      const response = await request(url, init).catch((error: unknown) => {
        if (isLast || signal?.aborted) throw error
        return undefined
      })
      if (response?.ok) return response
      const waitMs = retryPauseMs(response, attempt)
      if (response !== undefined && (isLast || waitMs === undefined)) throw await errorOf(response)
      await response?.body?.cancel()
      await pause(waitMs ?? PAUSE_MS, signal)
    }
  }

  return {
    send,
    async json<Reply>(path: string, sent?: SentRequest) {
      return (await (await send(path, sent)).json()) as Reply
    },
  }
}

/** undefined: no further attempt is made. */
function retryPauseMs(response: Response | undefined, attempt: number): number | undefined {
  const growing = PAUSE_MS * 2 ** attempt
  if (response === undefined) return growing
  if (response.status !== 429 && response.status !== 503) return undefined
  const seconds = secondsOf(response.headers.get('retry-after') ?? '0')
  return seconds > RETRY_AFTER_SECONDS_MAX ? undefined : Math.max(growing, seconds * 1_000)
}

/** A proxy may write a date instead of seconds. Anything else is 0. */
function secondsOf(retryAfter: string): number {
  const seconds = Number(retryAfter)
  return (Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1_000 : seconds) || 0
}
