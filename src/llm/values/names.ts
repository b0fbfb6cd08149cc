import { hasAtMost } from '../../domain/characters.ts'

/** Chat and responses ask for the name of a shape, in few letters; clients of others often give none. */
export function formatName(name: string | undefined): string {
  return sanitizeName(name ?? '', 64) || 'reply'
}

export const MODEL_NAME_LENGTH_MAX = 256
export const MODEL_NAME_SHAPE = /^[^\s/]+\/\S+$/

/** Whether a text has the shape `<provider>/<model_name>`. */
export function isModelName(text: string): boolean {
  return hasAtMost(MODEL_NAME_LENGTH_MAX, text) && MODEL_NAME_SHAPE.test(text)
}

/** The beginning of a name or an id, in the characters that every vendor takes. */
export function sanitizeName(name: string, lengthMax: number): string {
  return name.slice(0, lengthMax).replace(/[^a-zA-Z0-9_-]/g, '_')
}

/**
 * The id of a call as a vendor takes it: some refuse what is longer than their own. Clients keep their ids, so nothing
 * has to lead back; but a call and its result must meet, in every request of a conversation alike.
 */
export function shortCallId(callId: string, lengthMax: number): string {
  if (callId.length <= lengthMax) return callId
  const tail = `_${digestOf(callId)}_${digestOf(callId, OTHER_SEED)}`
  return `${sanitizeName(callId, lengthMax - tail.length)}${tail}`
}

/** A second digest keeps ids apart that begin alike, without a list of those that are taken. */
const OTHER_SEED = 0x9e3779b9

/** FNV-1a: small, and the same in every process, so that a vendor's prompt cache sees the same names again. */
export function digestOf(text: string, seed = 0x811c9dc5): string {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
