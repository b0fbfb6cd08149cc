import { isJsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import { isNil, isNonEmptyArray } from '../values/values.ts'

export type Words = 'text' | 'reasoning' | 'refusal'

/** Receives the content of the parts, piece by piece, and the losses. */
export interface Listener {
  say(kind: Words, text: string): void
  lose(loss: LossName): void
}

/**
 * A few vendors give content in parts, as requests do, and their reasoning too. A part says something to read, or it is
 * named as lost. `others`: what the words are of a part whose type says nothing about them.
 */
export function readParts(parts: readonly unknown[], others: Words, listener: Listener): void {
  for (const part of parts) {
    if (!isJsonObject(part)) {
      listener.lose('unknown_block')
      continue
    }
    const place = PLACES.get(part.type)
    const said = part[place?.member ?? 'text']
    if (isNil(said) && place === undefined) listener.lose('unknown_block')
    for (const piece of Array.isArray(said) ? said : [said]) {
      const text = isJsonObject(piece) ? piece.text : piece
      if (typeof text === 'string') listener.say(place?.kind ?? others, text)
      else if (isJsonObject(piece) || !isNil(text)) listener.lose('unknown_block')
    }
    if (isNonEmptyArray(part.annotations)) listener.lose('citations')
  }
}

interface Place {
  /** undefined: what it is in its list. */
  kind: Words | undefined
  /** Holds a text, or a list of parts of text. */
  member: string
}

/** Where parts of a type have their words. */
const PLACES: ReadonlyMap<unknown, Place> = new Map<unknown, Place>([
  ['text', { kind: undefined, member: 'text' }],
  ['thinking', { kind: 'reasoning', member: 'thinking' }],
  ['reasoning.text', { kind: 'reasoning', member: 'text' }],
  ['reasoning.summary', { kind: 'reasoning', member: 'summary' }],
  ['refusal', { kind: 'refusal', member: 'refusal' }],
])
