import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { overflowMessage } from '@sluice/dialects/errors/overflow'
import { readVendorError, type VendorErrorFields } from '@sluice/dialects/errors/vendor-error'
import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import { readVendorErrorFields } from '@sluice/dialects/vendor-error-fields'
import { ApiError } from '../../../domain/api-error.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import type { TextHead, TextNetworkError } from '../../../ports/text-provider.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextRoute } from '../route/choose-route.ts'

export interface TextVendorError {
  apiError: ApiError
  /** Whether the vendor failed, and not the request or the stopping gateway. Another model may then be tried. */
  isVendorFault: boolean
}

export interface TextVendorErrorContext {
  /** Strings of the operator that no client may read. */
  hides: readonly string[]
  /** Whether the request refers to things that the vendor may not have. "not found" is then about them, not about the model. */
  mayNameMissing?: () => boolean
  /** The dialect that client and vendor share. The client then also gets the vendor's machine-readable fields. */
  native?: TextEndpoint | undefined
  /** Whether the vendor was asked to compact a conversation, which not every vendor of its dialect supports. */
  compacts?: boolean
}

/** Reads the error of a vendor that refused before it sent any reply. */
export function errorOfAnswer(
  { status, retryAfterMs }: TextHead,
  body: Buffer,
  { hides, mayNameMissing, native, compacts = false }: TextVendorErrorContext,
): TextVendorError {
  const text = body.toString('utf8')
  const value = parseOrNone(text) ?? text
  const { message, code } = readVendorError(value, { hides })
  const retryAfterSeconds = secondsOf(retryAfterMs)
  if (status === 429) return vendorFault('upstream_busy', { retryAfterSeconds })
  if (status === 529) return vendorFault('upstream_overloaded', { retryAfterSeconds })
  const overflow = OVERFLOW_STATUSES.has(status) ? overflowMessage({ code, message }) : undefined
  const fields = native === undefined ? {} : readVendorErrorFields(value, native, { hides })
  if (overflow !== undefined) return otherFault('context_length_exceeded', overflow, fields)
  if (status === 413) return otherFault('body_too_large', message)
  const searched = `${message} ${code} ${fields.details?.error_code}`
  const isMissingThing = status === 404 && THING.test(searched) && mayNameMissing?.() === true
  if (isMissingThing || status === 400 || status === 422)
    return otherFault('invalid_parameter', message, fields)
  return vendorFault('provider_unavailable', {
    retryAfterSeconds,
    cause: new Error(`the vendor answered ${status}`),
    ...(compacts && NO_ENDPOINT_STATUSES.has(status) ? { message: NO_COMPACTION } : {}),
  })
}

const NO_ENDPOINT_STATUSES: ReadonlySet<number> = new Set([404, 405, 501])

const NO_COMPACTION =
  'The provider of this model has no endpoint that compacts conversations. An operator can set `compacts: false` for the model: then the model is asked for a summary.'

const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** Things that a client may name. Any other missing thing is the vendor's failure. */
const THING = /(?<![a-z])(?:item|file|container|thread|prompt|skill)s?(?![a-z])/i

export function errorOfSilence(failure: TextNetworkError): TextVendorError {
  return vendorFault('provider_unavailable', {
    retryAfterSeconds: secondsOf(failure.retryAfterMs),
    cause: failure,
  })
}

export function errorOfReply({ kind, message }: StreamError): TextVendorError {
  if (kind === 'busy') return vendorFault('upstream_overloaded', {})
  if (kind === 'refused') return otherFault('invalid_parameter', message)
  if (kind === 'too-long') return otherFault('context_length_exceeded', message)
  if (kind === 'draining') return otherFault('overloaded', message)
  if (kind === 'organization-disabled') return otherFault('organization_disabled', message)
  if (kind === 'user-disabled') return otherFault('user_disabled', message)
  // The vendor's message may quote the prompt, so it is never logged.
  return vendorFault('provider_unavailable', { cause: new Error(`the reply failed: ${kind}`) })
}

/** Makes the error for a client that left before an answer: neither client, vendor nor gateway is at fault. */
export function errorOfGone(): TextVendorError {
  return otherFault('request_timeout', 'The client is gone.')
}

function otherFault(code: ErrorCode, message: string, input: VendorErrorFields = {}): TextVendorError {
  const { code: vendorCode, ...fields } = input
  return { apiError: new ApiError(code, { message, ...fields, vendorCode }), isVendorFault: false }
}

function vendorFault(
  code: ErrorCode,
  details: { retryAfterSeconds?: number | undefined; cause?: unknown; message?: string },
): TextVendorError {
  return { apiError: new ApiError(code, details), isVendorFault: true }
}

/** Rounds up to whole seconds, at least one, for the Retry-After header. */
function secondsOf(waitMs: number | undefined): number | undefined {
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1_000))
}

/** A conversion has no references to vendor state: requests with such references were refused before. */
export function errorContextOf(input: TextRoute, command: TextCommand): TextVendorErrorContext {
  const { provider, upstream } = input
  const { hides } = provider
  if (upstream.dialect !== command.endpoint) return { hides }
  const compacts = command.operation === 'compact' && upstream.compacts === true
  return {
    hides,
    native: command.endpoint,
    compacts,
    mayNameMissing: () => command.body.referencesVendorState(),
  }
}
