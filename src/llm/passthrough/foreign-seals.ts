import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { keepNumbers } from '../values/keep-numbers.ts'

export interface SealedRequest {
  bytes: Buffer
  /** The same, parsed. */
  value: JsonObject
}

/**
 * A history that another provider or another dialect had a part in holds seals of our spelling. This provider's own get
 * their proof back as it was; reasoning sealed by others means nothing here and is left out. Such a request is written
 * anew; every other one, which is nearly all, keeps its bytes.
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

/** Looks at the parts that may hold one, not at the bytes: images make megabytes of those, and a search stops at each letter. */
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
