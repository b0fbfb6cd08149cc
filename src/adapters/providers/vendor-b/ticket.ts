import { readTicketId } from '../ticket-id.ts'
import { OPERATIONS, type Operation } from './wire.ts'

/** The vendor asks for the operation with every poll, so it is kept beside the id: `image2video/t2v1`. */
export interface TicketParts {
  operation: Operation
  id: string
}

/** The id is encoded, so the last slash is the one between the two. */
export function writeTicket({ operation, id }: TicketParts): string {
  return `${operation}/${encodeURIComponent(id)}`
}

/** undefined for anything that `writeTicket` has not written. */
export function readTicket(ticket: string): TicketParts | undefined {
  const slash = ticket.lastIndexOf('/')
  const operation = OPERATIONS.find((known) => known === ticket.slice(0, slash))
  const id = readTicketId(decode(ticket.slice(slash + 1)))
  if (operation === undefined || id === undefined) return undefined
  return writeTicket({ operation, id }) === ticket ? { operation, id } : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
