/** Replaces the range from `start` to `end` by `text`; an empty range inserts it. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Applies the edits, which must be in order. Without edits it returns the same buffer. */
export function spliceBytes(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes
  let length = bytes.length
  for (const { start, end, text } of edits) length += Buffer.byteLength(text) - (end - start)
  const spliced = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  for (const { start, end, text } of edits) {
    to += bytes.copy(spliced, to, from, start)
    to += spliced.write(text, to)
    from = end
  }
  bytes.copy(spliced, to, from)
  return spliced
}

/** Applies edits to bytes that were read as latin1 already: many edits cost half as much in a string. */
export function spliceLatin1(text: string, edits: readonly Edit[]): Buffer {
  const pieces: string[] = []
  let from = 0
  // Most edits of a piece insert the same name.
  let last = ''
  let written = ''
  for (const edit of edits) {
    if (edit.text !== last) {
      last = edit.text
      written = Buffer.from(last).toString('latin1')
    }
    pieces.push(text.slice(from, edit.start), written)
    from = edit.end
  }
  pieces.push(text.slice(from))
  return Buffer.from(pieces.join(''), 'latin1')
}

export function spliceText(text: string, edits: readonly Edit[]): string {
  let spliced = ''
  let from = 0
  for (const edit of edits) {
    spliced += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return spliced + text.slice(from)
}

/** Splices the bytes before `end`; `text` is the same piece in latin1. */
export function spliceFirst(
  { bytes, text }: { bytes: Buffer; text: string },
  end: number,
  edits: readonly Edit[],
): Buffer {
  if (edits.length > FEW_EDITS) return spliceLatin1(end === text.length ? text : text.slice(0, end), edits)
  return spliceBytes(end === bytes.length ? bytes : bytes.subarray(0, end), edits)
}

const FEW_EDITS = 4
