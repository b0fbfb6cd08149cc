import type { Part } from './text-request.ts'

/** Whether a part leaves a model something to answer: words, media, a call or its result. */
export function saysSomething(part: Part): boolean {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text !== ''
    case 'reasoning':
    case 'opaque':
      return false
    default:
      return true
  }
}
