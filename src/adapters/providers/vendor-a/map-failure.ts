import { cleanMessage } from '../clean-message.ts'
import { isRecord, looseRecord, looseText } from '../loose-value.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/** Reads `{ "error": { code, message, param } }` of a response. The code tells more than the status. */
export function readVendorError(
  { status, json }: { status: number; json: unknown },
  { secrets }: { secrets: readonly string[] },
): VendorError & { code: string | undefined } {
  const { error } = looseRecord(json)
  const code = looseText(looseRecord(error).code)
  const param = readParam(looseRecord(error).param)
  const message = readMessage(error, secrets)
  const kind = kindOfCode(code) ?? (status === 429 ? 'busy' : 'unavailable')
  // Values of `OUR_PARAMS` are not the client's: the model id is configured, and the gateway sets the notice URL.
  const isOurs = param !== undefined && OUR_PARAMS.has(param)
  return { kind: isOurs && kind === 'invalid-parameter' ? 'unavailable' : kind, message, param, code }
}

export function readTaskFailure(
  error: unknown,
  { secrets }: { secrets: readonly string[] },
): Pick<VendorError, 'kind' | 'message'> {
  const code = looseText(looseRecord(error).code)
  return { kind: kindOfCode(code) ?? 'other', message: readMessage(error, secrets) }
}

const OUR_PARAMS: ReadonlySet<string> = new Set(['model', 'callback_url'])

function kindOfCode(code: string | undefined): VendorErrorKind | undefined {
  return CODES.find(([pattern]) => code !== undefined && pattern.test(code))?.[1]
}

/** Codes of a model that our account may not use. */
const MODEL_CLOSED = /ModelNotOpen|ServiceNotOpen|^InvalidEndpoint|^UnsupportedModel/i

export function isModelClosed(code: string | undefined): boolean {
  return code !== undefined && MODEL_CLOSED.test(code)
}

/** Kinds by code; the first match counts. Codes may have a suffix, as in `InvalidParameter.Duration`. */
const CODES: readonly (readonly [RegExp, VendorErrorKind])[] = [
  [/SensitiveContentDetected|RiskDetection|^ContentRestricted/i, 'content-policy'],
  [/^(InvalidParameter|MissingParameter|InvalidImageURL)/i, 'invalid-parameter'],
  // A limit that the account's owner set or did not pay for does not end after a short wait.
  [/Overdue|SetLimitExceeded|^InvalidAccountStatus/i, 'unavailable'],
  [/^(AuthenticationError|Unauthorized|Forbidden|AccessDenied|OperationDenied)/i, 'unavailable'],
  [MODEL_CLOSED, 'unavailable'],
  [/RateLimitExceeded|^QuotaExceeded|^ServerOverloaded|^RequestBurstTooFast/i, 'busy'],
]

function readParam(value: unknown): string | undefined {
  const param = looseText(value)
  return param !== undefined && /^[\w.[\]-]{1,100}$/.test(param) ? param : undefined
}

function readMessage(error: unknown, secrets: readonly string[]): string | undefined {
  return cleanMessage(looseText(isRecord(error) ? error.message : error), { secrets })
}
