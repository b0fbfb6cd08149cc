import type { ModelRequest, RequestTurn } from '../model-request.ts'

/** The part of a conversation that needs an answer. */
export interface Prompt {
  text: string
  images: number
  documents: number
  /** Whether tools have answered since the vendor's last turn. */
  hasResults: boolean
}

/** Reads the last user turn with content after the vendor's last turn, or of all turns when the vendor spoke last. */
export function readPrompt({ turns }: ModelRequest): Prompt {
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

function saysSomething({ prompt, images, documents }: RequestTurn): boolean {
  return prompt !== '' || images + documents > 0
}
