import type { Seal } from '../canonical/reply-event.ts'
import { CHAT_SEAL_PREFIX } from '../canonical/seal.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'

/**
 * Signature that some vendors write beside a call (`extra_content`) and need back with it: it proves the reasoning that
 * led to the call. No client has a field for it, so it travels as the seal of an empty reasoning block. It names its call,
 * because clients leave out calls and move reasoning.
 */
export interface CallSignature {
  /** The call's id for the client. */
  callId: string
  signature: JsonObject
}

/** The sealed member keeps the name `note`: clients hold seals with it. */
export function sealCallSignature(provider: string, { callId, signature }: CallSignature): Seal {
  const sealed = JSON.stringify({ callId, note: signature })
  return { provider, proof: MARK + Buffer.from(sealed).toString('base64url') }
}

/** undefined: the proof of something else, or one that the gateway would not have made. */
export function readCallSignature(proof: string): CallSignature | undefined {
  if (!proof.startsWith(MARK)) return undefined
  const value = parseOrNone(Buffer.from(proof.slice(MARK.length), 'base64url').toString())
  const { callId, note } = isJsonObject(value) ? value : {}
  return typeof callId === 'string' && isSignature(note) ? { callId, signature: note } : undefined
}

const MARK = `${CHAT_SEAL_PREFIX}call.`

/** Clients may send anything, and deeply nested values cannot be written again. */
export function isSignature(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length > 0 && isFlat(value, LEVELS_MAX)
}

const LEVELS_MAX = 8

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isFlat(member, levels - 1))
}
