import { isSuccess, type VendorReply } from '../ask-vendor.ts'
import { isRecord, looseRecord, looseText } from '../loose-value.ts'
import { readRetryAfterMs } from '../retry-after.ts'

/** What a reply comes to once its envelope is off. */
export type Envelope =
  | { kind: 'result'; status: number; result: Readonly<Record<string, unknown>> }
  /** The vendor's no, or an answer nobody can read. */
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
