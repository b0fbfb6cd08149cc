import type { LossName } from '../canonical/losses.ts'
import { isJsonObject } from '../json/json-object.ts'
import { isNil, isNonEmptyArray } from '../values/values.ts'

export type TextKind = 'text' | 'reasoning' | 'refusal'
/** Receives the text of the parts, piece by piece, and the losses. */
export interface PartListener {
  appendText(kind: TextKind, text: string): void
  addLoss(loss: LossName): void
}

/**
 * Reads content or reasoning in parts, as a few vendors send it. A part has text, or it is declared as lost. `others`: the
 * kind of text in a part whose type does not tell.
 */
export function readParts(parts: readonly unknown[], others: TextKind, listener: PartListener): void {
  for (const part of parts) {
    if (!isJsonObject(part)) {
      listener.addLoss('unknown_block')
      continue
    }
    const type = PART_TYPES.get(part.type)
    const content = part[type?.member ?? 'text']
    if (isNil(content) && type === undefined) listener.addLoss('unknown_block')
    for (const piece of Array.isArray(content) ? content : [content]) {
      const text = isJsonObject(piece) ? piece.text : piece
      if (typeof text === 'string') listener.appendText(type?.kind ?? others, text)
      else if (isJsonObject(piece) || !isNil(text)) listener.addLoss('unknown_block')
    }
    if (isNonEmptyArray(part.annotations)) listener.addLoss('citations')
  }
}

interface PartType {
  /** undefined: the text has the kind `others` of `readParts`. */
  kind: TextKind | undefined
  /** Name of the member with a text, or a list of parts of text. */
  member: string
}
/** Text kinds and members by the type of a part. */
const PART_TYPES: ReadonlyMap<unknown, PartType> = new Map<unknown, PartType>([
  ['text', { kind: undefined, member: 'text' }],
  ['thinking', { kind: 'reasoning', member: 'thinking' }],
  ['reasoning.text', { kind: 'reasoning', member: 'text' }],
  ['reasoning.summary', { kind: 'reasoning', member: 'summary' }],
  ['refusal', { kind: 'refusal', member: 'refusal' }],
])
