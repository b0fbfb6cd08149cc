import type { ErrorCode } from '../../domain/errors.ts'
import { Refusal } from '../../domain/refusal.ts'

export interface ToThread {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  args: unknown
}

/** `fault`: not a refusal, but a mistake of ours. */
export type FromThread = { bytes: Uint8Array<ArrayBuffer> } & (
  | { result: unknown }
  | { refusal: PlainRefusal }
  | { fault: unknown }
)

/** A class does not cross to another thread. */
interface PlainRefusal {
  code: ErrorCode
  message: string
  param?: string
  retryAfterSeconds?: number
  vendorCode?: string
  details?: object
}

export function plainRefusal(refusal: Refusal): PlainRefusal {
  const { code, message, param, retryAfterSeconds, vendorCode, details } = refusal
  return {
    code,
    message,
    ...(param !== null && { param }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(vendorCode !== undefined && { vendorCode }),
    ...(details !== undefined && { details }),
  }
}

export function refusalOf({ code, ...details }: PlainRefusal): Refusal {
  return new Refusal(code, details)
}
