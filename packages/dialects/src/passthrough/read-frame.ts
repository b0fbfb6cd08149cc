/** One event in a stream; offsets count from the beginning of `text`. */
export interface EventFrame {
  /** Value of its `event:` line. */
  name: string | undefined
  /** Values of its `data:` lines, in order. Without any it is not an event. */
  lines: readonly FrameLine[]
}

export interface FrameLine {
  start: number
  end: number
}

/** Reads the lines of the event between `start` and `end`; comments and other fields are skipped. */
export function readFrame(text: string, start: number, end: number): EventFrame {
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

/** Offset behind the colon, and behind one space if there is one. */
function valueStart(text: string, colon: number, lineEnd: number): number {
  const at = text[colon + 1] === ' ' ? colon + 2 : colon + 1
  return Math.min(at, lineEnd)
}

/**
 * Offset of the first `\n` or `\r` at or after `from`, or -1. Native searches are faster on long lines. They search
 * growing pieces, because the search for a missing character would run to the end of the text.
 */
export function findLineBreak(text: string, from: number): number {
  const near = Math.min(text.length, from + NEAR)
  for (let at = from; at < near; at += 1) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED || code === RETURN) return at
  }
  for (let at = near, size = NEAR; at < text.length; at += size, size *= 2) {
    const piece = text.slice(at, at + size)
    const feed = piece.indexOf('\n')
    const first = (feed === -1 ? piece : piece.slice(0, feed)).indexOf('\r')
    if (first !== -1 || feed !== -1) return at + (first === -1 ? feed : first)
  }
  return -1
}

const NEAR = 512
const LINE_FEED = 0x0a
const RETURN = 0x0d

/**
 * Whether the data of an event looks like one object: `data: {` at the start and `}` before the blank line. An event
 * that is not parsed gets no other check. False: it does not, or it is spelled in another way.
 */
export function isPlainData(text: string, start: number, end: number): boolean {
  return closesObject(text, end) && text.startsWith(OPENING_DATA, start)
}

/** Beginning of a delta event of this name, up to the opening brace of its data. */
export function deltaHeadOf(name: string): string {
  return `event: ${name}\n${OPENING_DATA}`
}

/** Whether the event between `start` and `end` is a delta with this head. V8 compares a slice faster than `startsWith`. */
export function isDelta(text: string, start: number, end: number, head: string): boolean {
  return text.slice(start, start + head.length) === head && closesObject(text, end)
}

/** Whether a `}` stands before the blank line that ends here. */
function closesObject(text: string, end: number): boolean {
  return text.charCodeAt(end - 3) === CLOSING
}

const OPENING_DATA = 'data: {'
const OPENING = 0x7b
const CLOSING = 0x7d

/** Whether the lines, in any spelling, look like one object. */
export function holdObject(text: string, lines: readonly FrameLine[]): boolean {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return false
  let start = first.start
  while (start < first.end && isBlank(text.charCodeAt(start))) start += 1
  let end = last.end - 1
  while (end > last.start && isBlank(text.charCodeAt(end))) end -= 1
  return start < first.end && text.charCodeAt(start) === OPENING && text.charCodeAt(end) === CLOSING
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
