import { hash } from 'node:crypto'
import type { SandboxClock } from '../../clock.ts'

const VALID_SECONDS = 12 * 3_600

/** A link like the vendor's: signed, and good for twelve real hours. Each is a new one. */
export function mediaLink(name: string, { url, clock }: { url: string; clock: SandboxClock }): string {
  const issued = String(clock.nowMs())
  const expires = String(VALID_SECONDS)
  const signature = sign({ name, issued, expires })
  return `${url}/media/${name}?${new URLSearchParams({ issued, expires, signature })}`
}

export function checkMediaLink(
  { name, query }: { name: string; query: URLSearchParams },
  clock: SandboxClock,
): 'good' | 'forged' | 'expired' {
  const issued = query.get('issued') ?? ''
  const expires = query.get('expires') ?? ''
  if (query.get('signature') !== sign({ name, issued, expires })) return 'forged'
  return clock.nowMs() < Number(issued) + Number(expires) * 1_000 ? 'good' : 'expired'
}

/** Nothing secret is in it: it is there so that a link breaks like a vendor's when it is changed. */
function sign({ name, issued, expires }: { name: string; issued: string; expires: string }): string {
  return hash('sha256', `sandbox media\n${name}\n${issued}\n${expires}`)
}
