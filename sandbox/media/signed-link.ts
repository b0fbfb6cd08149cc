import { hash } from 'node:crypto'
import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'

/** Part of the signature, so that a link of one kind is not a link of the other. */
type LinkKind = 'clip' | 'media'

/** A query in the form of a vendor's: signed, and valid for a while. Each call makes a new one. */
export function signedQuery(
  kind: LinkKind,
  { name, nowMs, validSeconds }: { name: string; nowMs: number; validSeconds: number },
): string {
  const issued = String(nowMs)
  const expires = String(validSeconds)
  const signature = sign(kind, { name, issued, expires })
  return `${new URLSearchParams({ issued, expires, signature })}`
}

/** The refusal of a link that was changed or is too old; undefined for a good one. */
export function refuseLink(
  kind: LinkKind,
  { params, query, clock }: Pick<SandboxRequest, 'params' | 'query' | 'clock'>,
): SandboxReply | undefined {
  const issued = query.get('issued') ?? ''
  const expires = query.get('expires') ?? ''
  if (query.get('signature') !== sign(kind, { name: params.name ?? '', issued, expires })) {
    return refuse('SignatureDoesNotMatch', 'The signature does not fit the link.')
  }
  const isGood = clock.nowMs() < Number(issued) + Number(expires) * 1_000
  return isGood ? undefined : refuse('AccessDenied', 'Request has expired')
}

/** The signature holds no secret: it makes a changed link fail like a vendor's. */
function sign(
  kind: LinkKind,
  { name, issued, expires }: { name: string; issued: string; expires: string },
): string {
  return hash('sha256', `sandbox ${kind}\n${name}\n${issued}\n${expires}`)
}

function refuse(code: string, message: string): SandboxReply {
  return jsonReply(403, { error: { code, message } })
}
