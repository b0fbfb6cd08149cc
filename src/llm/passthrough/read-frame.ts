/** One event as it stands in a stream: places count from the beginning of `text`. */
export interface Frame {
  /** Of its `event:` line. */
  name: string | undefined
  /** What its `data:` lines hold, in order. Without any it is no event. */
  lines: readonly FrameLine[]
}

export interface FrameLine {
  start: number
  end: number
}

/** Reads the lines of the event between `start` and `end`; comments and other fields are passed over. */
export function readFrame(text: string, start: number, end: number): Frame {
  let name: string | undefined
  const lines: FrameLine[] = []
  let at = start
  while (at < end) {
    const found = findLineBreak(text, at)
    const lineEnd = found === -1 ? end : found
    if (isField(text, 'data', at, lineEnd))
      lines.push({ start: valueStart(text, at + 4, lineEnd), end: lineEnd })
    else if (isField(text, 'event', at, lineEnd))
      name = text.slice(valueStart(text, at + 5, lineEnd), lineEnd)
    at = lineEnd + 1
  }
  return { name: name === '' ? undefined : name, lines }
}

function isField(text: string, field: string, at: number, lineEnd: number): boolean {
  const fieldEnd = at + field.length
  return text.startsWith(field, at) && (fieldEnd === lineEnd || text[fieldEnd] === ':')
}

/** Behind the colon, and behind one space if there is one. */
function valueStart(text: string, colon: number, lineEnd: number): number {
  const at = text[colon + 1] === ' ' ? colon + 2 : colon + 1
  return Math.min(at, lineEnd)
}

/** The first `\n` or `\r` at or after `from`, or -1. */
export function findLineBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  // Only that far: a stream without returns would be searched to its end for every line.
  const line = feed === -1 ? text.slice(from) : text.slice(from, feed)
  const back = line.indexOf('\r')
  return back === -1 ? feed : from + back
}
