export interface FrameSplitter {
  /** False: a frame is longer than `maxFrameBytes`. Nothing after it is read. */
  push(chunk: Uint8Array): boolean
  /** Ends the stream. The rest counts as a frame, because vendors leave out the last blank line. */
  end(): void
}

type OnFrame = (name: string | undefined, data: string) => void

/**
 * Cuts a stream of bytes into server-sent events the way browsers do: any end of line, a byte order mark, comments,
 * data over several lines, characters split between chunks. `id` and `retry` are ignored, and so is a frame
 * without data.
 *
 * An ASCII chunk has one byte per character. Other chunks are decoded as one stream, because a character may be split
 * between them. A character counts as one byte of a frame's bound.
 */
export function createFrameSplitter(
  onFrame: OnFrame,
  { maxFrameBytes }: { maxFrameBytes: number },
): FrameSplitter {
  /** Pieces of the unfinished line. */
  let pieces: string[] = []
  let piecesBytes = 0
  let frameBytes = 0
  let name: string | undefined
  let data: string | undefined
  let isFirstLine = true
  /** Created at the first byte that is not ASCII, whose character may continue in the next chunk. */
  let decoder: TextDecoder | undefined
  let isInCharacter = false
  /** The last byte was a CR: an LF that follows belongs to it. */
  let endedInCr = false
  let isTooLong = false

  const dispatch = () => {
    if (data !== undefined) onFrame(name, data)
    name = undefined
    data = undefined
    frameBytes = 0
  }

  const readLine = (text: string, from: number, end: number) => {
    let start = from
    if (isFirstLine) {
      isFirstLine = false
      if (text.startsWith(BYTE_ORDER_MARK, start)) start += BYTE_ORDER_MARK.length
    }
    if (start === end) return dispatch()
    if (isField(text, start, end, DATA)) {
      const value = readValue(text, start + DATA.length, end)
      data = data === undefined ? value : `${data}\n${value}`
      frameBytes += end - start
    } else if (isField(text, start, end, EVENT)) {
      const value = readValue(text, start + EVENT.length, end)
      name = value === '' ? undefined : value
      frameBytes += end - start
    }
    isTooLong = frameBytes > maxFrameBytes
  }

  /** One space after the colon belongs to the syntax, not to the value. */
  const readValue = (text: string, colon: number, end: number) => {
    const start = colon + (text.charCodeAt(colon + 1) === SPACE ? 2 : 1)
    return start < end ? text.slice(start, end) : ''
  }

  const decode = (chunk: Uint8Array) => {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    if (!isInCharacter && Buffer.byteLength(text) === text.length) return text
    isInCharacter = (chunk.at(-1) ?? 0) > ASCII_MAX
    decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return decoder.decode(chunk, { stream: true })
  }

  /** The line ends at `end`; its beginning may have come in earlier chunks. */
  const endLine = (text: string, start: number, end: number) => {
    if (pieces.length === 0) return readLine(text, start, end)
    pieces.push(text.slice(start, end))
    const line = pieces.join('')
    pieces = []
    piecesBytes = 0
    readLine(line, 0, line.length)
  }

  return {
    push(chunk) {
      if (isTooLong || chunk.length === 0) return !isTooLong
      const text = decode(chunk)
      const { length } = text
      let at = endedInCr && text.charCodeAt(0) === LF ? 1 : 0
      endedInCr = false
      let lf = indexOrEnd(text, '\n', at)
      let cr = indexOrEnd(text, '\r', at)
      while (at < length) {
        if (lf < at) lf = text.charCodeAt(at) === LF ? at : indexOrEnd(text, '\n', at)
        if (cr < at) cr = indexOrEnd(text, '\r', at)
        const end = Math.min(lf, cr)
        if (end === length) break
        endLine(text, at, end)
        if (isTooLong) return false
        at = end + 1
        if (end === cr) {
          if (at === length) endedInCr = true
          else if (text.charCodeAt(at) === LF) at += 1
        }
      }
      if (at < length) {
        pieces.push(text.slice(at))
        piecesBytes += length - at
        isTooLong = frameBytes + piecesBytes > maxFrameBytes
      }
      return !isTooLong
    },
    end() {
      if (isTooLong) return
      if (isInCharacter && decoder !== undefined) pieces.push(decoder.decode())
      if (pieces.length > 0) endLine('', 0, 0)
      if (!isTooLong) dispatch()
    },
  }
}

const LF = 10
const COLON = 58
const SPACE = 32
const DATA = 'data'
const EVENT = 'event'
const BYTE_ORDER_MARK = '\ufeff'
const ASCII_MAX = 0x7f

function indexOrEnd(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from)
  return found === -1 ? text.length : found
}

/** A field is its whole line, or everything before the first colon. */
function isField(text: string, start: number, end: number, field: string): boolean {
  const after = start + field.length
  if (after > end || (after < end && text.charCodeAt(after) !== COLON)) return false
  return text.startsWith(field, start)
}
