import { cleanMessage } from '../clean-message.ts'
import type { VendorError } from '../vendor-error.ts'

/** What the vendor says about a call of ours. */
export interface CallError {
  status: number
  code: string | undefined
  message: string | undefined
}

/**
 * Why an asset was not taken, where that is for the client to know. undefined when it is not: then it is about our
 * account, our settings, or a server in trouble.
 */
export function readVendorError(
  { status, code, message }: CallError,
  secrets: readonly string[],
): VendorError | undefined {
  const text = cleanText(message, secrets)
  if (code !== undefined && /SensitiveContentDetected|RiskDetection|^ContentRestricted/i.test(code)) {
    return { kind: 'content-policy', message: text, param: undefined }
  }
  const faulty = /^(?:Invalid|Missing)Parameter(?:\.(\w+))?/i.exec(code ?? '')
  if (faulty !== null) return parameterError(faulty[1], text)
  return isBusy({ status, code }) ? BUSY : undefined
}

export const BUSY: VendorError = { kind: 'busy', message: undefined, param: undefined }

/** Too much at once; later it may work. A limit that the account's owner has set or not paid for is none of these. */
export function isBusy({ status, code = '' }: Pick<CallError, 'status' | 'code'>): boolean {
  if (/Overdue|SetLimitExceeded|^InvalidAccountStatus/i.test(code)) return false
  return status === 429 || /RateLimitExceeded|^QuotaExceeded|FlowLimitExceeded|^ServerOverloaded/i.test(code)
}

/** The vendor no longer knows what the call names: `NotFound.group_id`, `NotFound.GroupId`. */
export function isNotFound(code: string | undefined, what: 'group' | 'asset'): boolean {
  return new RegExp(`^NotFound\\.${what}_?id\\b`, 'i').test(code ?? '')
}

/** A text of the vendor for a client. Links are taken out: they are signed, and the client's own may be too. */
export function cleanText(text: string | undefined, secrets: readonly string[]): string | undefined {
  return cleanMessage(text?.replace(/\b(?:https?|asset):\/\/\S+/gi, '…'), { secrets })
}

/** A parameter of ours is not the client's fault; of the client's own, the name is ours again. */
function parameterError(name: string | undefined, message: string | undefined): VendorError | undefined {
  const spelled = name?.replaceAll('_', '').toLowerCase()
  if (spelled !== undefined && OUR_PARAMS.has(spelled)) return undefined
  return { kind: 'invalid-parameter', message, param: CLIENT_PARAMS.get(spelled ?? '') }
}

/** The group is looked up before the call: its id is the vendor's own. */
const OUR_PARAMS: ReadonlySet<string> = new Set(['groupid', 'grouptype', 'projectname', 'action', 'version'])

const CLIENT_PARAMS: ReadonlyMap<string, string> = new Map([
  ['url', 'url'],
  ['assettype', 'asset_type'],
  ['name', 'name'],
])
