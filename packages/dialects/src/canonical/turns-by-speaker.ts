import type { Part, Turn } from './request.ts'

export type Speaker = Turn['role'] | 'results'

/**
 * Adds parts to turns. Consecutive parts of the assistant are one turn, and so are consecutive results of tools; every
 * message of another speaker is a turn of its own.
 */
export function turnsBySpeaker(turns: Turn[]): (speaker: Speaker, parts: readonly Part[]) => void {
  let last: { speaker: Speaker; parts: Part[] } | undefined
  return (speaker, parts) => {
    if (parts.length === 0 && (speaker === 'assistant' || speaker === 'results')) return
    if (last?.speaker !== speaker || (speaker !== 'assistant' && speaker !== 'results')) {
      last = { speaker, parts: [] }
      turns.push({ role: speaker === 'results' ? 'user' : speaker, parts: last.parts })
    }
    for (const part of parts) last.parts.push(part)
  }
}
