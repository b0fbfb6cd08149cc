import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../domain/api-error.ts'

export const VERSION_HEADER = 'compat-version'
/** The name SDKs of this format send it under. */
const SDK_VERSION_HEADER = 'anthropic-version'

const NEWEST = '2023-06-01'
export const VERSIONS: readonly string[] = [NEWEST, '2023-01-01']
const DATE = /^20\d\d-\d\d-\d\d$/

/** Under its own name the contract's two values; under the SDKs' name also the newer ones that they send. */
export function readVersion(headers: IncomingHttpHeaders): string {
  const own = headers[VERSION_HEADER]
  const version = own ?? headers[SDK_VERSION_HEADER]
  if (version === undefined)
    throw new ApiError('missing_parameter', {
      param: VERSION_HEADER,
      message: `The header ${VERSION_HEADER} is required: send ${NEWEST}.`,
    })
  if (typeof version === 'string' && (VERSIONS.includes(version) || (own === undefined && isNewer(version))))
    return version
  throw new ApiError('invalid_parameter', {
    param: VERSION_HEADER,
    message: `The header ${VERSION_HEADER} must be ${VERSIONS.join(' or ')}.`,
  })
}

function isNewer(version: string): boolean {
  if (!DATE.test(version) || version <= NEWEST) return false
  // A day that no month has becomes one of the next month, or none.
  const date = new Date(version)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(version)
}
