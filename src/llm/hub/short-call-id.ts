import { digestOf } from './digest-of.ts'
import { plainHead } from './plain-head.ts'

/**
 * The id of a call as a vendor takes it: some refuse what is longer than their own. Clients keep their ids, so nothing
 * has to lead back; but a call and its result must meet, in every request of a conversation alike.
 */
export function shortCallId(callId: string, lengthMax: number): string {
  if (callId.length <= lengthMax) return callId
  const tail = `_${digestOf(callId)}_${digestOf(callId, OTHER_SEED)}`
  return `${plainHead(callId, lengthMax - tail.length)}${tail}`
}

/** A second digest keeps ids apart that begin alike, without a list of those that are taken. */
const OTHER_SEED = 0x9e3779b9
