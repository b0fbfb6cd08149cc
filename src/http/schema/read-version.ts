import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalidParameter } from '../../domain/api-error.ts'

export const VERSION_HEADER = 'compat-version'
/** Name of the version header in SDKs of the Messages format. */
export const SDK_VERSION_HEADER = 'anthropic-version'

const NEWEST = '2023-06-01'
export const VERSIONS: readonly string[] = [NEWEST, '2023-01-01']
const DATE = /^20\d\d-\d\d-\d\d$/

/** Accepts the contract's versions, and newer versions of SDKs. `requiresVersion`: a version must be sent. */
export function readVersion(headers: IncomingHttpHeaders, { requiresVersion = true }: VersionRule): string {
  const own = headers[VERSION_HEADER]
  const version = own ?? headers[SDK_VERSION_HEADER]
  if (version === undefined) {
    if (!requiresVersion) return NEWEST
    throw new ApiError('missing_parameter', {
      param: SDK_VERSION_HEADER,
      message: `The header ${SDK_VERSION_HEADER} is required: send ${NEWEST}. ${VERSION_HEADER} counts as the same header.`,
    })
  }
  if (typeof version === 'string' && (VERSIONS.includes(version) || (own === undefined && isNewer(version))))
    return version
  const [sent, other] =
    own === undefined ? [SDK_VERSION_HEADER, VERSION_HEADER] : [VERSION_HEADER, SDK_VERSION_HEADER]
  throw invalidParameter(
    sent,
    `The header ${sent} must be ${VERSIONS.join(' or ')}. ${other} counts as the same header.`,
  )
}

export interface VersionRule {
  /** Default: true. */
  requiresVersion?: boolean | undefined
}

function isNewer(version: string): boolean {
  if (!DATE.test(version) || version <= NEWEST) return false
  // An invalid day becomes a day of the next month, or no date.
  const date = new Date(version)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(version)
}
