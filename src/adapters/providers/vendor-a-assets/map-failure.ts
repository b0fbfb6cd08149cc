import { cleanMessage } from '../clean-message.ts'
import type { VendorError } from '../vendor-error.ts'

/** Error response of the vendor to a call. */
export interface CallError {
  status: number
  code: string | undefined
  message: string | undefined
}

/** Returns the error if the client's data or a busy vendor is the reason; undefined for every other reason. */
export function readVendorError(input: CallError, secrets: readonly string[]): VendorError | undefined {
  const { status, code, message } = input
  const text = cleanText(message, secrets)
  if (code !== undefined && /SensitiveContentDetected|RiskDetection|^ContentRestricted/i.test(code)) {
    return { kind: 'content-policy', message: text, param: undefined }
  }
  const faulty = /^(?:Invalid|Missing)Parameter(?:\.(\w+))?/i.exec(code ?? '')
  if (faulty !== null) return parameterError(faulty[1], text)
  return isBusy({ status, code }) ? BUSY : undefined
}

export const BUSY: VendorError = { kind: 'busy', message: undefined, param: undefined }

/** Tells whether a retry may succeed, which it cannot while the account's owner has to act. */
export function isBusy({ status, code = '' }: Pick<CallError, 'status' | 'code'>): boolean {
  if (/Overdue|SetLimitExceeded|^InvalidAccountStatus/i.test(code)) return false
  return status === 429 || /RateLimitExceeded|^QuotaExceeded|FlowLimitExceeded|^ServerOverloaded/i.test(code)
}

/** Matches codes such as `NotFound.group_id` and `NotFound.GroupId`. */
export function isNotFound(code: string | undefined, what: 'group' | 'asset'): boolean {
  return new RegExp(`^NotFound\\.${what}_?id\\b`, 'i').test(code ?? '')
}

/** Prepares a vendor's text for a client. Links are removed, because they may be signed. */
export function cleanText(text: string | undefined, secrets: readonly string[]): string | undefined {
  return cleanMessage(text?.replace(/\b(?:https?|asset):\/\/\S+/gi, '…'), { secrets })
}

/** Returns the error about a client's parameter in our words; undefined for our own parameters. */
function parameterError(name: string | undefined, message: string | undefined): VendorError | undefined {
  const spelled = name?.replaceAll('_', '').toLowerCase()
  if (spelled !== undefined && OUR_PARAMS.has(spelled)) return undefined
  return { kind: 'invalid-parameter', message, param: CLIENT_PARAMS.get(spelled ?? '') }
}

/** Parameters that the gateway sets. The group is the client's choice, but the gateway has checked it. */
const OUR_PARAMS: ReadonlySet<string> = new Set(['groupid', 'grouptype', 'projectname', 'action', 'version'])

const CLIENT_PARAMS: ReadonlyMap<string, string> = new Map([
  ['url', 'url'],
  ['assettype', 'asset_type'],
  ['name', 'name'],
])
