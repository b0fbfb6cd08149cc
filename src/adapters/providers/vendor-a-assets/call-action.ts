import type { Clock } from '../../../ports/clock.ts'
import type { NetworkError } from '../../outbound/network-error.ts'
import { readRetryAfterMs } from '../../outbound/retry-after.ts'
import { basicTime, type Signer, sha256Hex, signRequest } from '../../outbound/sign-request.ts'
import type { Upstream, UpstreamCall } from '../../outbound/upstream.ts'
import { askVendor, isSuccess, type VendorReply } from '../ask-vendor.ts'
import { isRecord, looseRecord, looseText } from '../loose-value.ts'
import { type Action, type ActionBodies, VERSION } from './wire.ts'

export interface ServiceAccess {
  upstream: Upstream
  /** Address of `upstream`, whose host and path are signed. */
  endpoint: string
  accessKey: () => string
  secretKey: () => string
  region: string
  service: string
  /** Project that owns all assets and groups. */
  project: string
  clock: Clock
}

export type ActionReply = Envelope | { kind: 'failure'; failure: NetworkError }

/** Signs an action and sends it once. */
export async function callAction<Name extends Action>(
  access: ServiceAccess,
  call: Pick<UpstreamCall, 'operation' | 'holder' | 'isRepeat'> & {
    action: Name
    body: ActionBodies[Name]
    totalTimeoutMs: number
    maxBytes: number
  },
): Promise<ActionReply> {
  const { action, body, ...rest } = call
  const { region, service, project } = access
  const { host, pathname } = new URL(access.endpoint)
  const query = { Action: action, Version: VERSION }
  const json = { ...body, ProjectName: project }
  const headers = sign(
    {
      method: 'POST',
      host,
      path: `${pathname.replace(/\/+$/, '')}/`,
      query,
      // `askVendor` sends exactly this header and these bytes for `json`.
      contentType: 'application/json',
      body: JSON.stringify(json),
    },
    { accessKey: access.accessKey(), secretKey: access.secretKey(), region, service },
    access.clock.nowMs(),
  )
  const reply = await askVendor(access.upstream, { ...rest, method: 'POST', path: '/', query, headers, json })
  return reply.kind === 'failure' ? reply : readEnvelope(reply)
}

/** Content of a reply, without its envelope. */
type Envelope =
  | { kind: 'result'; status: number; result: Readonly<Record<string, unknown>> }
  /** Error of the vendor, or a response that cannot be parsed. */
  | {
      kind: 'error'
      status: number
      code: string | undefined
      message: string | undefined
      retryAfterMs: number | undefined
    }

/** Reads a reply. An error may have any HTTP status, even 200, and a result may have no envelope. */
export function readEnvelope({ status, headers, json }: VendorReply & { kind: 'answer' }): Envelope {
  const outer = looseRecord(json)
  const metadata = looseRecord(outer.ResponseMetadata)
  const isBare = outer.ResponseMetadata === undefined && outer.Result === undefined
  const error = looseRecord(metadata.Error ?? outer.Error)
  const code = looseText(error.Code)
  const message = looseText(error.Message)
  // Without an envelope, an `Error` beside a `Status` is about a failed asset, not about the call.
  const isAboutTheAsset = isBare && outer.Status !== undefined
  const isRefused = !isAboutTheAsset && (code ?? message) !== undefined
  if (isSuccess(status) && isRecord(json) && !isRefused) {
    return { kind: 'result', status, result: isBare ? outer : looseRecord(outer.Result) }
  }
  return { kind: 'error', status, code, message, retryAfterMs: readRetryAfterMs(headers) }
}

export interface SignedParts {
  method: 'POST'
  host: string
  path: string
  /** Names and values, not encoded. */
  query: Readonly<Record<string, string>>
  contentType: string
  body: string
}

const SCHEME = { algorithm: 'HMAC-SHA256', keyStart: '', scopeEnd: 'request' }

/** Returns the headers besides the content type. The signed parts must be sent unchanged. */
export function sign(parts: SignedParts, signer: Signer, nowMs: number): Record<string, string> {
  const { method, host, path, query, contentType, body } = parts
  const bodyHash = sha256Hex(body)
  const moment = basicTime(nowMs)
  const headers = [
    ['content-type', contentType],
    ['host', host],
    ['x-content-sha256', bodyHash],
    ['x-date', moment],
  ] as const
  const authorization = signRequest({ method, path, query, headers, bodyHash, moment }, signer, SCHEME)
  return { host, 'x-content-sha256': bodyHash, 'x-date': moment, authorization }
}
