import type { SandboxClock } from '../clock.ts'
import { packId, unpackId } from '../tasks/pack-id.ts'

/** One verification, from link to group. */
export interface Session {
  token: string
  startMs: number
  callbackUrl: string
  project: string
}

const PREFIX = 'verify-'
/** Validity in real time: a person has the phone in hand. */
export const SESSION_VALID_MS = 30 * 60_000

export function nameSession(
  { callbackUrl, project }: { callbackUrl: string; project: string },
  { startMs, nonce }: { startMs: number; nonce: string },
): Session {
  const packed: Packed = [startMs, nonce, callbackUrl, project]
  return { token: packId(PREFIX, packed), startMs, callbackUrl, project }
}

export function readToken(token: string): Session | undefined {
  const packed = unpackId<Packed>(PREFIX, token)
  if (packed === undefined) return undefined
  const [startMs, , callbackUrl, project] = packed
  return { token, startMs, callbackUrl, project }
}

export function isExpired({ startMs }: Session, clock: SandboxClock): boolean {
  return clock.nowMs() >= startMs + SESSION_VALID_MS
}

type Packed = readonly [startMs: number, nonce: string, callbackUrl: string, project: string]
