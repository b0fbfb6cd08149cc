import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import { isProofOf, readSeal } from '../canonical/seal.ts'
import { readReasoningProof } from '../responses/reasoning-proof.ts'
import { keepNumbers } from '../values/keep-numbers.ts'
import type { PassedDialect } from './splice-reply.ts'

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
  { dialect, provider }: { dialect: PassedDialect; provider: string },
): { bytes: Buffer; losses: readonly LossName[] } {
  const { bytes, value } = request
  if (!holdsSeal(dialect === 'messages' ? value.messages : value.input)) return { bytes, losses: [] }
  const seals = { provider, wasChanged: false, wasDropped: false }
  const exact = keepNumbers(value, bytes)
  const written = dialect === 'messages' ? unsealMessages(exact, seals) : unsealInput(exact, seals)
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
        holdsSeal(part.content)),
  )
}

function isSeal(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('gw1.')
}

interface Seals {
  readonly provider: string
  wasChanged: boolean
  wasDropped: boolean
}

/** A turn that had only foreign reasoning to say goes with it: an empty one is refused. */
function unsealMessages(value: JsonObject, seals: Seals): JsonObject {
  if (!Array.isArray(value.messages)) return value
  const messages: readonly unknown[] = value.messages
  return { ...value, messages: messages.flatMap((turn) => unsealTurn(turn, seals)) }
}

function unsealTurn(turn: unknown, seals: Seals): unknown[] {
  if (!isJsonObject(turn) || !Array.isArray(turn.content)) return [turn]
  const blocks: readonly unknown[] = turn.content
  const content = blocks.flatMap((block) => unsealBlock(block, seals))
  return content.length === 0 && blocks.length > 0 ? [] : [{ ...turn, content }]
}

function unsealBlock(block: unknown, seals: Seals): unknown[] {
  if (!isJsonObject(block)) return [block]
  if (block.type === 'thinking') return unsealMember(block, 'signature', seals)
  return block.type === 'redacted_thinking' ? unsealMember(block, 'data', seals) : [block]
}

/** An item whose proof is gone goes whole: the upstream would look in vain for the id it has. */
function unsealInput(value: JsonObject, seals: Seals): JsonObject {
  if (!Array.isArray(value.input)) return value
  const items: readonly unknown[] = value.input
  const input = items.flatMap((item) =>
    isJsonObject(item) && item.type === 'reasoning' ? unsealMember(item, 'encrypted_content', seals) : [item],
  )
  return { ...value, input }
}

function unsealMember(owner: JsonObject, member: string, seals: Seals): unknown[] {
  const sealed = owner[member]
  const seal = typeof sealed === 'string' ? readSeal(sealed) : undefined
  if (seal === undefined) return [owner]
  seals.wasChanged = true
  if (isProofOf(seals.provider, seal)) return [{ ...owner, [member]: proofFor(member, seal.proof) }]
  seals.wasDropped = true
  return []
}

/** Where the item has an id of its own, the proof goes without. */
function proofFor(member: string, proof: string): string {
  return member === 'encrypted_content' ? readReasoningProof(proof).encryptedContent : proof
}
