import { DatabaseError } from 'pg'
import { ApiError } from '../../domain/api-error.ts'

/** What a caller of the store gets to see: errors as they are, a lost engine as one, our own faults untouched. */
export function presentFailure(error: unknown): unknown {
  return isUnavailable(error) ? new ApiError('store_unavailable', { cause: error }) : error
}

export function rethrow(error: unknown): never {
  throw presentFailure(error)
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false
  if (error instanceof DatabaseError) return saysUnavailable(error.code ?? '')
  return isSystemError(error) || DRIVER_MESSAGES.some((message) => error.message.includes(message))
}

/** SQLSTATE codes, or the beginnings of them, that speak of the server and not of the statement. */
const UNAVAILABLE_CODES = [
  '08', // the connection
  '25006', // read-only: a standby, or a server that is being switched over
  '28', // it does not let us in
  '3D000', // the database is not there
  '40', // a deadlock or a conflict of transactions: the same call can succeed a moment later
  '53', // out of disk, memory or connections
  '55P03', // a lock could not be taken in time
  '57', // shutting down, starting up, cancelled by a timeout
  '58', // the system underneath
]

function saysUnavailable(code: string): boolean {
  return UNAVAILABLE_CODES.some((beginning) => code.startsWith(beginning))
}

/** Refused, reset, unreachable, not found: whatever the operating system said about the network. */
function isSystemError(error: Error): boolean {
  return (
    'code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code) && !isOurs(error.code)
  )
}

/** Node's own complaints about how it was called. */
function isOurs(code: string): boolean {
  return code.startsWith('ERR_')
}

/** The driver, its pool and the query builder have no codes for these. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after calling end',
  'connection has been discarded',
  'driver has already been destroyed',
]
