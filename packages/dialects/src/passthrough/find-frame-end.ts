import { findLineBreak } from './read-frame.ts'

/**
 * Offset behind the first blank line at or after `from`, which ends an event, or -1 while there is none. `text` is the
 * bytes read as latin1, so that offsets in it are offsets in the bytes. Without `\r` one search is enough.
 */
export function findFrameEnd(text: string, from: number, hasReturns: boolean): number {
  if (hasReturns) return findMixedEnd(text, from)
  const blank = text.indexOf('\n\n', from)
  return blank === -1 ? -1 : blank + 2
}

/** Lines may end with `\n`, `\r\n` or `\r`. A `\r` at the very end waits: its `\n` may be in the next chunk. */
function findMixedEnd(text: string, from: number): number {
  let at = findLineBreak(text, from)
  while (at !== -1) {
    const next = behindBreak(text, at)
    if (next === -1) return -1
    if (text[next] === '\n' || text[next] === '\r') return behindBreak(text, next)
    at = findLineBreak(text, next)
  }
  return -1
}

function behindBreak(text: string, at: number): number {
  if (text[at] === '\n') return at + 1
  if (at + 1 === text.length) return -1
  return text[at + 1] === '\n' ? at + 2 : at + 1
}
