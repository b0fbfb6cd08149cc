import type { IncomingMessage } from 'node:http'
import type { Operation } from '../operation.ts'

/** Methods that no operation has are all refused alike, so they are routed as this one. */
const SHARED = 'OPTIONS'

const ROUTED = { GET: true, HEAD: true, POST: true, DELETE: true, [SHARED]: true } satisfies Record<
  Operation['method'] | 'HEAD' | typeof SHARED,
  true
>

export const ROUTED_METHODS: readonly string[] = Object.keys(ROUTED)

const routed = new Set(ROUTED_METHODS)
const askedMethods = new WeakMap<IncomingMessage, string>()

/** Before routing: the framework keeps a tree of all paths for each method that it routes, and Node knows 34 of them. */
export function shareMethod(raw: IncomingMessage): void {
  const { method = SHARED } = raw
  if (routed.has(method)) return
  askedMethods.set(raw, method)
  raw.method = SHARED
}

/** After routing: guards, log and trace see the method that the client sent. */
export function restoreMethod(raw: IncomingMessage): void {
  if (raw.method === SHARED) raw.method = askedMethods.get(raw) ?? SHARED
}
