import { hasAtMost } from './characters.ts'

/** Name of a shape for chat and responses, which require one; clients of other dialects often give none. */
export function formatName(name: string | undefined): string {
  return sanitizeName(name ?? '', 64) || 'reply'
}

export const MODEL_NAME_LENGTH_MAX = 256
export const MODEL_SHAPE = /^\S+$/

/** Whether a text can be the name of a model, or an alias of one: without blanks, and not too long. */
export function isModel(text: string): boolean {
  return hasAtMost(MODEL_NAME_LENGTH_MAX, text) && MODEL_SHAPE.test(text)
}

/** Whether a text has the shape `<provider>/<model_name>`. */
export function isModelName(text: string): boolean {
  return /^[^\s/]+\/\S+$/.test(text)
}

/** The beginning of a name or an id, in the characters that every vendor takes. */
export function sanitizeName(name: string, lengthMax: number): string {
  return name.slice(0, lengthMax).replace(/[^a-zA-Z0-9_-]/g, '_')
}

/**
 * Shortens the id of a call for a vendor: some refuse ids that are longer than their own. The mapping need not be
 * reversible, since clients keep their ids; but a call and its result must match in every request of a conversation.
 */
export function shortCallId(callId: string, lengthMax: number): string {
  if (callId.length <= lengthMax) return callId
  const tail = `_${digestOf(callId)}_${digestOf(callId, OTHER_SEED)}`
  return `${sanitizeName(callId, lengthMax - tail.length)}${tail}`
}

/** Nine letters and digits for the id of a call; an id of that shape stays. */
export function nineCharacterId(callId: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(callId)) return callId
  return `${digestOf(callId, OTHER_SEED)}${digestOf(callId)}`.padEnd(9, '0').slice(0, 9)
}

/** Seed of a second digest, which separates ids that begin alike without a list of the taken ones. */
const OTHER_SEED = 0x9e3779b9

/** FNV-1a: small, and the same in every process, so that a vendor's prompt cache sees the same names again. */
export function digestOf(text: string, seed = 0x811c9dc5): string {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
