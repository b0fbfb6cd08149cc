import type { LossName } from '../canonical/losses.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { keepNumbers } from '../values/keep-numbers.ts'

export interface SealedRequest {
  bytes: Buffer
  /** The parsed bytes. */
  value: JsonObject
}

/**
 * Opens or removes seals in a request. A history with replies of another provider or dialect contains seals of the
 * gateway. This provider gets its own proofs back; reasoning with seals of other providers is left out. Only a request
 * with seals is serialized again.
 */
export function unsealForeign(
  request: SealedRequest,
  { dialect, provider }: { dialect: TextEndpoint; provider: string },
): { bytes: Buffer; losses: readonly LossName[] } {
  const { bytes, value } = request
  const { passthrough } = CLIENT_DIALECTS[dialect]
  if (!holdsSeal(passthrough.conversationIn(value))) return { bytes, losses: [] }
  const seals = { provider, wasChanged: false, wasDropped: false }
  const written = passthrough.unseal(keepNumbers(value, bytes), seals)
  return {
    bytes: seals.wasChanged ? Buffer.from(JSON.stringify(written)) : bytes,
    losses: seals.wasDropped ? ['foreign_seal'] : [],
  }
}

/** Looks only at the parts that may hold a seal: a search through megabytes of images would take long. */
function holdsSeal(parts: unknown): boolean {
  if (!Array.isArray(parts)) return false
  const list: readonly unknown[] = parts
  return list.some(
    (part) =>
      isJsonObject(part) &&
      (isSeal(part.signature) ||
        isSeal(part.data) ||
        isSeal(part.encrypted_content) ||
        holdsSeal(part.reasoning_details) ||
        holdsSeal(part.content)),
  )
}

function isSeal(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('gw1.')
}
