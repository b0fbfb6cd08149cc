import { isJsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../hub/losses.ts'

export type Words = 'text' | 'reasoning' | 'refusal'

/** Who hears what parts say, piece by piece, and what of them has no place. */
export interface Listener {
  say(kind: Words, text: string): void
  lose(loss: LossName): void
}

/** A few vendors give content in parts, as requests do. A part says something to read, or it is named as lost. */
export function readParts(parts: readonly unknown[], listener: Listener): void {
  for (const part of parts) {
    if (!isJsonObject(part)) {
      listener.lose('unknown_block')
      continue
    }
    const { kind, member } = PLACES.get(part.type) ?? TEXT
    const said = part[member]
    for (const piece of Array.isArray(said) ? said : [said]) {
      const text = isJsonObject(piece) ? piece.text : piece
      if (typeof text === 'string') listener.say(kind, text)
      else listener.lose('unknown_block')
    }
    if (Array.isArray(part.annotations) && part.annotations.length > 0) listener.lose('citations')
  }
}

interface Place {
  kind: Words
  /** Holds a text, or a list of parts of text. */
  member: string
}

/** Where parts of a type have their words. */
const PLACES: ReadonlyMap<unknown, Place> = new Map<unknown, Place>([
  ['thinking', { kind: 'reasoning', member: 'thinking' }],
  ['reasoning.text', { kind: 'reasoning', member: 'text' }],
  ['reasoning.summary', { kind: 'reasoning', member: 'summary' }],
  ['refusal', { kind: 'refusal', member: 'refusal' }],
])

/** Of any other type: what has a text is text. */
const TEXT: Place = { kind: 'text', member: 'text' }
