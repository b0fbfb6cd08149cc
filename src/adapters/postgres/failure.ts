import { DatabaseError } from 'pg'
import { ApiError } from '../../domain/api-error.ts'

/** Converts errors of an unavailable server to `store_unavailable`; other errors stay unchanged. */
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

/** Beginnings of SQLSTATE codes that are about the server and not about the statement. */
const UNAVAILABLE_CODES = [
  '08', // the connection
  '25006', // read-only: a standby, or a server that is being switched over
  '28', // authentication
  '3D000', // the database does not exist
  '40', // a deadlock or a conflict of transactions: the same call can succeed a moment later
  '53', // out of disk, memory or connections
  '55P03', // a lock could not be taken in time
  '57', // shutting down, starting up, cancelled by a timeout
  '58', // the operating system
]

function saysUnavailable(code: string): boolean {
  return UNAVAILABLE_CODES.some((beginning) => code.startsWith(beginning))
}

/** Matches codes of the operating system such as ECONNREFUSED, but not Node's own `ERR_` codes. */
function isSystemError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(error.code)
}

/** Parts of messages of the driver, its pool and the query builder, which have no codes. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after calling end',
  'connection has been discarded',
  'driver has already been destroyed',
]
