import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import { NetworkError } from '../outbound/network-error.ts'
import type { Upstream, UpstreamCall } from '../outbound/upstream.ts'
import type { WholeAnswer } from '../outbound/whole-answer.ts'

export interface CallLimits {
  /** Timeout of a create call; long, because vendors fetch the media of a request before they respond. */
  createTimeoutMs: number
  readTimeoutMs: number
  deleteTimeoutMs: number
  maxBytes: number
}

export const CALL_LIMITS: CallLimits = {
  createTimeoutMs: 60_000,
  readTimeoutMs: 15_000,
  deleteTimeoutMs: 15_000,
  maxBytes: 1_048_576,
}

export type VendorReply =
  /** `json` is undefined when the body is not JSON. */
  | { kind: 'answer'; status: number; headers: WholeAnswer['headers']; json: unknown }
  | { kind: 'failure'; failure: NetworkError }

type VendorQuestion = Omit<UpstreamCall, 'body'> & {
  totalTimeoutMs: number
  maxBytes: number
  json?: object
}

export type TaskQuestion = Omit<VendorQuestion, 'headers' | 'totalTimeoutMs' | 'maxBytes'>

export async function askVendor(upstream: Upstream, call: VendorQuestion): Promise<VendorReply> {
  const { json, ...rest } = call
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers }
  if (json !== undefined) headers['content-type'] = 'application/json'
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  try {
    const answer = await upstream.request({ ...rest, ...body, headers })
    return { kind: 'answer', status: answer.status, headers: answer.headers, json: readJson(answer.body) }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { kind: 'failure', failure: withoutBytes(error) }
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Removes the bytes in the cause of a broken response, in which a vendor may have repeated our key. */
function withoutBytes(failure: NetworkError): NetworkError {
  const { cause } = failure
  if (cause instanceof Error) {
    const bare = new Error(cause.message)
    bare.name = cause.name
    failure.cause = 'code' in cause ? Object.assign(bare, { code: cause.code }) : bare
  }
  return failure
}

/** Parses a body, and accepts a byte order mark and bad UTF-8. Returns undefined when it is not JSON. */
export function readJson(body: Uint8Array): unknown {
  return parseOrNone(new TextDecoder().decode(body))
}
