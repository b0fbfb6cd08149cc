export interface FrameSplitter {
  /** False: a frame is longer than `maxFrameBytes`. Nothing after it is read. */
  push(chunk: Uint8Array): boolean
  /** The stream closed. Vendors leave out the last blank line, so what is left counts as a frame. */
  end(): void
}

type OnFrame = (name: string | undefined, data: string) => void

/**
 * Cuts a stream of bytes into server-sent events the way browsers do: any end of line, a byte order mark, comments,
 * data over several lines, characters split between chunks. `id` and `retry` mean nothing here. A frame without data
 * is none. Lines are found by their bytes, and only names and data are decoded.
 */
export function createFrameSplitter(
  onFrame: OnFrame,
  { maxFrameBytes }: { maxFrameBytes: number },
): FrameSplitter {
  /** The line that has begun and not ended, in the pieces it came in. */
  let pieces: Buffer[] = []
  let piecesBytes = 0
  let frameBytes = 0
  let name: string | undefined
  let data: string | undefined
  let isFirstLine = true
  /** The last byte was a CR: an LF that follows belongs to it. */
  let endedInCr = false
  let isTooLong = false

  const dispatch = () => {
    if (data !== undefined) onFrame(name, data)
    name = undefined
    data = undefined
    frameBytes = 0
  }

  const readLine = (bytes: Buffer, from: number, end: number) => {
    let start = from
    if (isFirstLine) {
      isFirstLine = false
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3
    }
    if (start === end) return dispatch()
    if (isField(bytes, start, end, DATA)) {
      const value = decodeValue(bytes, start + DATA.length, end)
      data = data === undefined ? value : `${data}\n${value}`
      frameBytes += end - start
    } else if (isField(bytes, start, end, EVENT)) {
      const value = decodeValue(bytes, start + EVENT.length, end)
      name = value === '' ? undefined : value
      frameBytes += end - start
    }
    isTooLong = frameBytes > maxFrameBytes
  }

  /** The line ends at `end`; what came of it in earlier chunks is in front of it. */
  const endLine = (bytes: Buffer, start: number, end: number) => {
    if (pieces.length === 0) return readLine(bytes, start, end)
    pieces.push(bytes.subarray(start, end))
    const line = Buffer.concat(pieces)
    pieces = []
    piecesBytes = 0
    readLine(line, 0, line.length)
  }

  return {
    push(chunk) {
      if (isTooLong || chunk.length === 0) return !isTooLong
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const length = bytes.length
      let at = endedInCr && bytes[0] === LF ? 1 : 0
      endedInCr = false
      let lf = indexOrEnd(bytes, LF, at)
      let cr = indexOrEnd(bytes, CR, at)
      while (at < length) {
        if (lf < at) lf = bytes[at] === LF ? at : indexOrEnd(bytes, LF, at)
        if (cr < at) cr = indexOrEnd(bytes, CR, at)
        const end = Math.min(lf, cr)
        if (end === length) break
        endLine(bytes, at, end)
        if (isTooLong) return false
        at = end + 1
        if (end === cr) {
          if (at === length) endedInCr = true
          else if (bytes[at] === LF) at += 1
        }
      }
      if (at < length) {
        pieces.push(bytes.subarray(at))
        piecesBytes += length - at
        isTooLong = frameBytes + piecesBytes > maxFrameBytes
      }
      return !isTooLong
    },
    end() {
      if (isTooLong) return
      if (pieces.length > 0) endLine(NOTHING, 0, 0)
      if (!isTooLong) dispatch()
    },
  }
}

const LF = 10
const CR = 13
const COLON = 58
const SPACE = 32
const DATA = Buffer.from('data')
const EVENT = Buffer.from('event')
const NOTHING = Buffer.alloc(0)

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from)
  return found === -1 ? bytes.length : found
}

/** A field is its whole line, or everything before the first colon. */
function isField(bytes: Buffer, start: number, end: number, field: Buffer): boolean {
  const after = start + field.length
  if (after > end || (after < end && bytes[after] !== COLON)) return false
  for (let place = 0; place < field.length; place += 1) {
    if (bytes[start + place] !== field[place]) return false
  }
  return true
}

/** One space after the colon belongs to the spelling, not to the value. */
function decodeValue(bytes: Buffer, colon: number, end: number): string {
  const start = colon + (bytes[colon + 1] === SPACE ? 2 : 1)
  return start < end ? bytes.toString('utf8', start, end) : ''
}
