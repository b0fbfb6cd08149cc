import { shortCallId } from '../hub/short-call-id.ts'

export function writeCallId(callId: string): string {
  return shortCallId(callId, ID_LENGTH_MAX)
}

/** Vendors of this wire refuse longer ones. */
const ID_LENGTH_MAX = 40
