import { randomBytes } from 'node:crypto'
import { jsonReply, type SandboxReply } from '../part.ts'

export interface VendorAError {
  status: number
  code: string
  message: string
  param?: string
  headers?: Readonly<Record<string, string>>
}

/** The vendor's envelope. Its messages end with a request id, which no client of ours should see. */
export function errorReply({ status, code, message, param = '', headers }: VendorAError): SandboxReply {
  return jsonReply(
    status,
    { error: { code, message: withRequestId(message), param, type: TYPES[status] ?? 'InternalServerError' } },
    headers,
  )
}

export function invalidParameter(param: string, message: string): VendorAError {
  return { status: 400, code: 'InvalidParameter', message, param }
}

export function withRequestId(message: string): string {
  return `${message} Request id: 0217${randomBytes(14).toString('hex')}`
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
}
