import { onTestFinished } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'

export interface Answer {
  status: number
  headers: Headers
  body: unknown
}

export interface Vendors {
  url: string
  /** Lets so much of the vendors' own time pass. */
  passSeconds(vendorSeconds: number): void
  /** Lets so much real time pass. */
  passRealMs(ms: number): void
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Vendors after a restart: another server that knows only the time. */
  reopen(): Promise<Vendors>
}

export const START_MS = Date.UTC(2030, 0, 2)
const SPEED = 60

/** The vendors of a sandbox whose time stands still until a test lets it pass. */
export async function openVendors(time = { nowMs: START_MS }): Promise<Vendors> {
  const sandbox = await startSandbox({ port: 0, speed: SPEED, nowMs: () => time.nowMs })
  onTestFinished(() => sandbox.close())
  return {
    url: sandbox.url,
    passSeconds: (vendorSeconds) => {
      time.nowMs += (vendorSeconds * 1_000) / SPEED
    },
    passRealMs: (ms) => {
      time.nowMs += ms
    },
    reopen: () => openVendors(time),
    call: (method, path, body, headers) => callVendor(`${sandbox.url}${path}`, { method, body, headers }),
  }
}

/** Returns the text at a path such as `content.video_url`; throws if there is none. */
export function textAt({ body }: Pick<Answer, 'body'>, path: string): string {
  let value: unknown = body
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  }
  if (typeof value !== 'string') throw new Error(`There is no text at ${path}: ${JSON.stringify(body)}`)
  return value
}

/** A body that is a string is sent as it is. */
export async function callVendor(
  url: string,
  { method, body, headers = {} }: { method: string; body?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json', ...headers },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
