import { ApiError } from '../../../domain/api-error.ts'
import type { TextEndpoint } from '../../../domain/catalog/dialects.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import type { StreamError } from '../../../llm/canonical/reply-event.ts'
import { overflowWords } from '../../../llm/overflow.ts'
import { parseOrNone } from '../../../llm/values/values.ts'
import { readVendorError, type VendorErrorFields } from '../../../llm/vendor-error.ts'
import { readVendorErrorFields } from '../../../llm/vendor-error-fields.ts'
import type { TextHead, TextNetworkError } from '../../../ports/text-provider.ts'
import type { TextRoute } from '../route/choose-route.ts'
import { pointsElsewhere } from '../route/resolve-items.ts'
import type { TextCommand } from '../text-command.ts'

/** The client's error for a vendor's error. `isTheirs`: another model may be tried instead. */
export interface TextVendorError {
  apiError: ApiError
  /** A failure of the vendor: no fault of the request, and not our own shutdown. */
  isTheirs: boolean
}

export interface TextVendorErrorContext {
  /** Words of the operator's that no client may read. */
  hides: readonly string[]
  /** The request points to things that the vendor may not have: then "not found" is about them, not about the model. */
  mayPointNowhere?: () => boolean
  /** The dialect that client and vendor share: then what the vendor says for programs is for the client too. */
  native?: TextEndpoint | undefined
  /** The vendor was asked to compact a conversation, which not every vendor of its dialect does. */
  compacts?: boolean
}

/** A vendor refused before it sent anything of a reply. */
export function errorOfAnswer(
  { status, retryAfterMs }: TextHead,
  body: Buffer,
  { hides, mayPointNowhere, native, compacts = false }: TextVendorErrorContext,
): TextVendorError {
  const text = body.toString('utf8')
  const value = parseOrNone(text) ?? text
  const { message, code } = readVendorError(value, { hides })
  const retryAfterSeconds = secondsOf(retryAfterMs)
  if (status === 429) return theirs('upstream_busy', { retryAfterSeconds })
  if (status === 529) return theirs('upstream_overloaded', { retryAfterSeconds })
  const overflow = OVERFLOW_STATUSES.has(status) ? overflowWords({ code, message }) : undefined
  const told = native === undefined ? {} : readVendorErrorFields(value, native, { hides })
  if (overflow !== undefined) return ours('context_length_exceeded', overflow, told)
  if (status === 413) return ours('body_too_large', message)
  const words = `${message} ${code} ${told.details?.error_code}`
  const isLost = status === 404 && THING.test(words) && mayPointNowhere?.() === true
  if (isLost || status === 400 || status === 422) return ours('invalid_parameter', message, told)
  return theirs('provider_unavailable', {
    retryAfterSeconds,
    cause: new Error(`the vendor answered ${status}`),
    ...(compacts && NO_ENDPOINT_STATUSES.has(status) ? { message: NO_COMPACTION } : {}),
  })
}

const NO_ENDPOINT_STATUSES: ReadonlySet<number> = new Set([404, 405, 501])

const NO_COMPACTION =
  'The provider of this model has no endpoint that compacts conversations. An operator can set `compacts: false` for the model: then the model is asked for a summary.'

const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** What a client may name. Everything else that a vendor lacks is its failure, with many possible messages. */
const THING = /(?<![a-z])(?:item|file|container|thread|prompt|skill)s?(?![a-z])/i

/** No answer came at all. */
export function errorOfSilence(failure: TextNetworkError): TextVendorError {
  return theirs('provider_unavailable', {
    retryAfterSeconds: secondsOf(failure.retryAfterMs),
    cause: failure,
  })
}

/** The reply failed before anything of it was shown. */
export function errorOfReply({ kind, message }: StreamError): TextVendorError {
  if (kind === 'busy') return theirs('upstream_overloaded', {})
  if (kind === 'refused') return ours('invalid_parameter', message)
  if (kind === 'too-long') return ours('context_length_exceeded', message)
  if (kind === 'draining') return ours('overloaded', message)
  if (kind === 'organization-disabled') return ours('organization_disabled', message)
  if (kind === 'user-disabled') return ours('user_disabled', message)
  // The vendor's words may quote the prompt: they go to the client at most, never to the log.
  return theirs('provider_unavailable', { cause: new Error(`the reply failed: ${kind}`) })
}

/** The client is gone before an answer: no error of the client, of the vendor or of ours. */
export function errorOfGone(): TextVendorError {
  return ours('request_timeout', 'The client is gone.')
}

function ours(
  code: ErrorCode,
  message: string,
  { code: vendorCode, ...told }: VendorErrorFields = {},
): TextVendorError {
  const named = vendorCode === undefined ? {} : { vendorCode }
  return { apiError: new ApiError(code, { message, ...told, ...named }), isTheirs: false }
}

function theirs(
  code: ErrorCode,
  {
    retryAfterSeconds,
    ...more
  }: { retryAfterSeconds?: number | undefined; cause?: unknown; message?: string },
): TextVendorError {
  const apiError = new ApiError(code, {
    ...more,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
  return { apiError, isTheirs: true }
}

/** For a header of our own: whole seconds, at least one. */
function secondsOf(waitMs: number | undefined): number | undefined {
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1_000))
}

/**
 * How a vendor's error is to be read. On a conversion nothing points elsewhere: what a request only names is refused
 * before.
 */
export function errorContextOf(
  { provider, upstream }: TextRoute,
  command: TextCommand,
): TextVendorErrorContext {
  const { hides } = provider
  if (upstream.dialect !== command.endpoint) return { hides }
  const compacts = command.operation === 'compact' && upstream.compacts === true
  return { hides, native: command.endpoint, compacts, mayPointNowhere: () => pointsElsewhere(command) }
}
