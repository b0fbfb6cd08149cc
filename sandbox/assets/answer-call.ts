import { randomBytes } from 'node:crypto'
import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import { CallRefused } from './call-refused.ts'
import { checkSignature, readAuthorization } from './check-signature.ts'
import { type Fields, openFields } from './fields.ts'

export interface Call {
  fields: Fields
  request: SandboxRequest
}

/** Answers one call of the control plane in the vendor's envelope: signature, then body, then the work. */
export function answerCall(request: SandboxRequest, work: (call: Call) => object): SandboxReply {
  try {
    checkSignature(request)
    const fields = openFields(parse(request.body))
    return jsonReply(200, { ResponseMetadata: metadataOf(request), Result: work({ fields, request }) })
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    const { status, code, message } = error
    return jsonReply(status, {
      ResponseMetadata: { ...metadataOf(request), Error: { Code: code, Message: message } },
    })
  }
}

function metadataOf({ query, headers, clock }: SandboxRequest): object {
  const scope = readAuthorization(headers.authorization)?.scope
  const moment = new Date(clock.nowMs()).toISOString().replace(/\D/g, '').slice(0, 14)
  return {
    RequestId: `${moment}${randomBytes(9).toString('hex').toUpperCase()}`,
    Action: query.get('Action') ?? '',
    Version: query.get('Version') ?? '',
    Service: scope?.service ?? '',
    Region: scope?.region ?? '',
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
