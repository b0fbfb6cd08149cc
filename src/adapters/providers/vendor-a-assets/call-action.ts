import type { Clock } from '../../../ports/clock.ts'
import type { NetworkError } from '../../outbound/network-error.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { askVendor, isSuccess, type VendorReply } from '../ask-vendor.ts'
import { isRecord, looseRecord, looseText } from '../loose-value.ts'
import { readRetryAfterMs } from '../retry-after.ts'
import { sign } from './sign.ts'
import { type Action, type ActionBodies, VERSION } from './wire.ts'

export interface ServiceAccess {
  upstream: Upstream
  /** The address that `upstream` leads to; its host and path are part of the signature. */
  endpoint: string
  accessKey: () => string
  secretKey: () => string
  region: string
  service: string
  /** Owns everything that is made. */
  project: string
  clock: Clock
}

export type ActionReply = Envelope | { kind: 'failure'; failure: NetworkError }

/** One action, signed and sent once. */
export async function callAction<Name extends Action>(
  access: ServiceAccess,
  call: {
    action: Name
    body: ActionBodies[Name]
    operation: string
    holder: string
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
      // What `askVendor` makes of `json`, to the byte.
      contentType: 'application/json',
      body: JSON.stringify(json),
    },
    { accessKey: access.accessKey(), secretKey: access.secretKey(), region, service },
    access.clock.nowMs(),
  )
  const reply = await askVendor(access.upstream, { ...rest, method: 'POST', path: '/', query, headers, json })
  return reply.kind === 'failure' ? reply : readEnvelope(reply)
}

/** What a reply comes to once its envelope is off. */
type Envelope =
  | { kind: 'result'; status: number; result: Readonly<Record<string, unknown>> }
  /** The vendor's refusal, or an answer that cannot be parsed. */
  | {
      kind: 'error'
      status: number
      code: string | undefined
      message: string | undefined
      retryAfterMs: number | undefined
    }

/** An error may come with any HTTP status, also a 200; a result may come bare, without its envelope. */
export function readEnvelope({ status, headers, json }: VendorReply & { kind: 'answer' }): Envelope {
  const outer = looseRecord(json)
  const metadata = looseRecord(outer.ResponseMetadata)
  const isBare = outer.ResponseMetadata === undefined && outer.Result === undefined
  const error = looseRecord(metadata.Error ?? outer.Error)
  const code = looseText(error.Code)
  const message = looseText(error.Message)
  // Bare, an `Error` beside a `Status` is that of a failed asset, and not of the call.
  const isAboutTheAsset = isBare && outer.Status !== undefined
  const isRefused = !isAboutTheAsset && (code ?? message) !== undefined
  if (isSuccess(status) && isRecord(json) && !isRefused) {
    return { kind: 'result', status, result: isBare ? outer : looseRecord(outer.Result) }
  }
  return { kind: 'error', status, code, message, retryAfterMs: readRetryAfterMs(headers) }
}
