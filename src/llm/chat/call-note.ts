import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { parseOrNone } from '../hub/parse-or-none.ts'
import type { Seal } from '../hub/reply-event.ts'
import { MADE_FOR_CHAT } from '../hub/seal.ts'

/**
 * What some vendors write beside a call (`extra_content`) and want back with it: their signature of the thought that led
 * to it. No client has a place for it, so it travels as the seal of a reasoning that has nothing to read. It says whose
 * it is, for clients leave out calls and put reasoning elsewhere.
 */
export interface CallNote {
  /** As the client was told it. */
  callId: string
  note: JsonObject
}

export function sealCallNote(provider: string, { callId, note }: CallNote): Seal {
  return { provider, proof: MARK + Buffer.from(JSON.stringify({ callId, note })).toString('base64url') }
}

/** undefined: the proof of something else, or nothing that we would have made. */
export function readCallNote(proof: string): CallNote | undefined {
  if (!proof.startsWith(MARK)) return undefined
  const value = parseOrNone(Buffer.from(proof.slice(MARK.length), 'base64url').toString())
  const { callId, note } = isJsonObject(value) ? value : {}
  return typeof callId === 'string' && isNote(note) ? { callId, note } : undefined
}

const MARK = `${MADE_FOR_CHAT}call.`

/** Clients may send anything, and what is nested without end cannot be written again. */
export function isNote(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length > 0 && isFlat(value, LEVELS_MAX)
}

const LEVELS_MAX = 8

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isFlat(member, levels - 1))
}
