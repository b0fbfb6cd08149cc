import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { parseOrNone } from '../hub/parse-or-none.ts'
import type { Seal } from '../hub/reply-event.ts'
import { sealOwner } from './seal-owner.ts'

/**
 * What some vendors write beside a call (`extra_content`) and want back with it: their signature of the thought that led
 * to it. No client has a place for it, so it travels as the seal of a reasoning that has nothing to read, in front of
 * its call.
 */
export function sealCallNote(provider: string, note: JsonObject): Seal {
  return {
    provider: sealOwner(provider),
    proof: MARK + Buffer.from(JSON.stringify(note)).toString('base64url'),
  }
}

/** undefined: the proof of something else. */
export function readCallNote(proof: string): JsonObject | undefined {
  if (!proof.startsWith(MARK)) return undefined
  const note = parseOrNone(Buffer.from(proof.slice(MARK.length), 'base64url').toString())
  return isJsonObject(note) ? note : undefined
}

/** With its dot unlike every other proof of this dialect, which are base64url. */
const MARK = 'call.'

/** By these words Google lets a call pass that its model did not sign: another made it, or the client lost the signature. */
export const UNSIGNED: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } }
