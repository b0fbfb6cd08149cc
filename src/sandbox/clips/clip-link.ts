import { hash } from 'node:crypto'
import { clipName } from './clip-name.ts'
import type { ClipSpec } from './make-clip.ts'

const DAY_SECONDS = 86_400

/** A link like a vendor's: signed, and good for a day unless told otherwise. Each is a new one. */
export function clipLink(
  spec: ClipSpec,
  { url, nowMs, validSeconds = DAY_SECONDS }: { url: string; nowMs: number; validSeconds?: number },
): string {
  const name = clipName(spec)
  const issued = String(nowMs)
  const expires = String(validSeconds)
  const signature = sign({ name, issued, expires })
  return `${url}/clips/${name}?${new URLSearchParams({ issued, expires, signature })}`
}

export function checkLink(
  { name, query }: { name: string; query: URLSearchParams },
  nowMs: number,
): 'good' | 'forged' | 'expired' {
  const issued = query.get('issued') ?? ''
  const expires = query.get('expires') ?? ''
  if (query.get('signature') !== sign({ name, issued, expires })) return 'forged'
  return nowMs < Number(issued) + Number(expires) * 1_000 ? 'good' : 'expired'
}

/** Nothing secret is in it: it is there so that a link breaks like a vendor's when somebody changes it. */
function sign({ name, issued, expires }: { name: string; issued: string; expires: string }): string {
  return hash('sha256', `sandbox clip\n${name}\n${issued}\n${expires}`)
}
