import { ADMIN_KEY, KEY } from './memory-app.ts'

export const BODY = JSON.stringify({
  model: 'vendorD/m',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'x' }],
})
export const INPUT = JSON.stringify({ model: 'vendorD/m', input: 'x' })

export interface Sent {
  /** The method and the address. */
  start?: string
  version?: string
  key?: string
  headers?: string
  body?: string
  /** Raw text after the head: `headers` declares its length. */
  raw?: string
}

export function request({ start = 'POST /v1/messages', version = '1.1', ...sent }: Sent): string {
  const { key = KEY, headers = '', body = BODY, raw } = sent
  const keys = `Authorization: Bearer ${key}\r\nX-Admin-Key: ${ADMIN_KEY}\r\ncompat-version: 2023-06-01\r\n`
  const length = raw === undefined ? `Content-Length: ${body.length}\r\n` : ''
  return `${start} HTTP/${version}\r\nHost: x\r\n${keys}${length}${headers}\r\n${raw ?? body}`
}

export const LAST = 'Connection: close\r\n'

/** A request without a body, the last one on its connection. */
export function ask(start: string, more: Sent = {}): Sent {
  return { start, body: '', headers: LAST, ...more }
}

/** A message, the last request on its connection. */
export function message(more: Sent): Sent {
  return { ...more, headers: `${LAST}${more.headers ?? ''}` }
}
