import { createContext, useContext } from 'react'
import type { Reply } from './call.ts'

export type Session = Reply<'GET /session'> & { leave(): Promise<void> }
type Role = Session['role']

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('A page was rendered outside of the session.')
  return session
}

const RANKS: Record<Role, number> = { viewer: 0, operator: 1, owner: 2 }

/** Whether the operator has at least this role: pages hide buttons whose requests the gateway would refuse. */
export function useMay(role: Role): boolean {
  return RANKS[useSession().role] >= RANKS[role]
}
