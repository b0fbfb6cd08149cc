const LINE_BYTES_MAX = 1_024
/** Limit for the chunk extensions and trailers of one body, which are dropped. Node's parser has this limit too. */
const EXTRA_BYTES_MAX = 16 * 1024
const SIZE_DIGITS_MAX = 8
const TINY_BYTES = 64
/** Cost of a line that `#readLine` reads: `LINE_CHUNKS`, and one chunk for each `BYTES_PER_CHUNK` of its bytes. */
const LINE_CHUNKS = 2
const BYTES_PER_CHUNK = 4

const CR = 13
const LF = 10

/** Size of a chunk with extensions, each of them a name with or without a value. */
const SIZE_LINE =
  /^([\da-f]{1,8})((?:;[\w!#$%&'*+.^`|~-]+(?:=(?:[\w!#$%&'*+.^`|~-]+|"(?:[\t !#-[\]-~]|\\[\t -~])*"))?)*)$/i
const TRAILER = /^([\w!#$%&'*+.^`|~-]+):[\t -~]*$/
/** Names that a trailer must not have: they describe the head or the connection. */
const NO_TRAILER = /^(?:content-length|transfer-encoding|host|connection|proxy-connection|upgrade|trailer)$/i

/** Error codes of Node's parser for a refused body. */
export type BodyFault = 'HPE_INVALID_CHUNK_SIZE' | 'HPE_STRICT' | 'HPE_CHUNK_EXTENSIONS_OVERFLOW'

/**
 * Parses a chunked body, all chunks of a packet in one loop: a chunk of one byte then costs little.
 *
 *   size -> data -> data-end -> size ... -> trailers -> done
 */
export class RequestChunks {
  #state: 'size' | 'data' | 'data-end' | 'trailers' | 'done' = 'size'
  /** Bytes of the current chunk that are missing. */
  #left = 0
  /** Beginning of a line whose end has not arrived. */
  #line = ''
  #extraBytes = 0
  fault: BodyFault | undefined
  /** Content that the last `read` found, a part of its `bytes`; `tinyChunks` counts the tiny chunks in it. */
  content: Buffer | undefined
  tinyChunks = 0
  /** Chunks that the last call read. Trailers and extensions count as the chunks that would take the same time. */
  chunks = 0

  get isDone(): boolean {
    return this.#state === 'done'
  }

  /** Reads at most `chunksMax` chunks, moves their content together in place, and returns where it stopped. */
  read(bytes: Buffer, from: number, chunksMax: number): number {
    let at = from
    let start = from
    let end = from
    this.tinyChunks = 0
    this.chunks = 0
    while (at < bytes.length && this.#state !== 'done' && this.fault === undefined) {
      if (this.#state === 'data') {
        const until = Math.min(bytes.length, at + this.#left)
        if (start === end) start = end = at
        if (end !== at) bytes.copyWithin(end, at, until)
        end += until - at
        this.#left -= until - at
        at = until
        if (this.#left === 0) this.#state = 'data-end'
      } else if (this.#state === 'data-end' && this.#line === '' && isLineEnd(bytes, at)) {
        this.#state = 'size'
        at += 2
      } else if (this.chunks >= chunksMax) break
      else if (this.#state === 'size') at = this.#readSize(bytes, at)
      else at = this.#readLine(bytes, at)
    }
    this.content = end > start ? bytes.subarray(start, end) : undefined
    return at
  }

  /** Nearly every size is a few digits and a line end, in one packet. */
  #readSize(bytes: Buffer, from: number): number {
    let size = 0
    let at = from
    for (;;) {
      const digit = this.#line === '' ? hexDigit(bytes[at]) : -1
      if (digit === -1 || at - from === SIZE_DIGITS_MAX) break
      size = size * 16 + digit
      at += 1
    }
    if (at === from || !isLineEnd(bytes, at)) return this.#readLine(bytes, from)
    this.#begin(size)
    return at + 2
  }

  #begin(size: number): void {
    this.chunks += 1
    if (size > 0 && size < TINY_BYTES) this.tinyChunks += 1
    this.#left = size
    this.#state = size === 0 ? 'trailers' : 'data'
  }

  #readLine(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(LF, from)
    const end = found === -1 ? bytes.length : found
    if (this.#line.length + end - from > LINE_BYTES_MAX) {
      this.fault = this.#state === 'data-end' ? 'HPE_STRICT' : 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
      return end
    }
    this.#line += bytes.toString('latin1', from, end)
    if (found === -1) return end
    const line = this.#line
    this.#line = ''
    this.chunks += LINE_CHUNKS + Math.floor(line.length / BYTES_PER_CHUNK)
    if (line.endsWith('\r')) this.#takeLine(line.slice(0, -1))
    else this.fault = 'HPE_STRICT'
    return end + 1
  }

  #takeLine(line: string): void {
    if (this.#state === 'data-end') {
      if (line === '') this.#state = 'size'
      else this.fault = 'HPE_STRICT'
      return
    }
    if (this.#state === 'size') this.#takeSize(SIZE_LINE.exec(line))
    else if (line === '') this.#state = 'done'
    else if (NO_TRAILER.test(TRAILER.exec(line)?.[1] ?? 'host')) this.fault = 'HPE_STRICT'
    else this.#addExtra(line)
  }

  #takeSize(found: RegExpExecArray | null): void {
    const [, digits, extensions = ''] = found ?? []
    if (digits === undefined) this.fault = 'HPE_INVALID_CHUNK_SIZE'
    else this.#begin(Number.parseInt(digits, 16))
    this.#addExtra(extensions)
  }

  #addExtra(dropped: string): void {
    this.#extraBytes += dropped.length
    if (this.#extraBytes > EXTRA_BYTES_MAX) this.fault = 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
  }
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === CR && bytes[at + 1] === LF
}

function hexDigit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
