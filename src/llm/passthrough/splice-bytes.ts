/** The bytes from `start` to `end` become `text`; where both are the same place, it is put in between. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** The same bytes with the edits made, which must stand in order. Without edits it is the very buffer. */
export function spliceBytes(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text))
    at = end
  }
  pieces.push(bytes.subarray(at))
  return Buffer.concat(pieces)
}
