import type { Asked, AskedTurn } from '../asked.ts'

/** What the vendor has to answer to. */
export interface Prompt {
  text: string
  images: number
  documents: number
  /** Tools have answered since the vendor spoke last. */
  hasResults: boolean
}

/** What came after the vendor's own last words; older scripts have had their turn. */
export function readPrompt({ turns }: Asked): Prompt {
  const spoke = turns.findLastIndex(({ role }) => role === 'assistant')
  const fresh = turns.slice(spoke + 1).filter(({ role }) => role === 'user')
  const asking = fresh.length > 0 ? fresh : turns.filter(({ role }) => role === 'user')
  const last = asking.findLast(saysSomething) ?? asking.at(-1)
  return {
    text: last?.prompt ?? '',
    images: last?.images ?? 0,
    documents: last?.documents ?? 0,
    hasResults: fresh.some(({ hasResults }) => hasResults),
  }
}

function saysSomething({ prompt, images, documents }: AskedTurn): boolean {
  return prompt !== '' || images + documents > 0
}
