import type { SandboxClock } from '../../clock.ts'
import type { AssetState } from '../asset-state.ts'
import { isExpired, readToken, type Session } from '../session.ts'

/** State of a link, which works once and for half an hour. */
export type FoundSession = { kind: 'open'; session: Session } | { kind: ClosedLink }

export type ClosedLink = 'unknown' | 'expired' | 'used'

export function findSession(state: AssetState, token: string, clock: SandboxClock): FoundSession {
  const session = readToken(token)
  if (session === undefined) return { kind: 'unknown' }
  const ended = state.ended.get(token)
  if (isExpired(session, clock) || ended?.ending === 'expired') return { kind: 'expired' }
  return ended === undefined ? { kind: 'open', session } : { kind: 'used' }
}
