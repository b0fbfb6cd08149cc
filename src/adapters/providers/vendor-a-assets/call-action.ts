import type { Clock } from '../../../ports/clock.ts'
import type { OutboundFailure } from '../../outbound/failure.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { askVendor } from '../ask-vendor.ts'
import { type Envelope, readEnvelope } from './read-envelope.ts'
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

export type ActionReply = Envelope | { kind: 'failure'; failure: OutboundFailure }

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
