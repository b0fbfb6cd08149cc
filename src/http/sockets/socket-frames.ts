import { isUtf8 } from 'node:buffer'
import { createFrameSplitter } from '@sluice/dialects/sse/split-frames'

export interface SocketFrames {
  frames: Buffer
  /** Data of the last event, if it ends a reply successfully. */
  goodEnd: string | undefined
}

/**
 * Converts server-sent events to WebSocket frames: one frame for the data of each event, in one buffer, because one
 * write per event is expensive. Events in the usual form are cut as bytes; other forms, and bytes that are not UTF-8,
 * are parsed like in a browser.
 */
export function framesOf(events: string | Uint8Array): SocketFrames {
  const isText = typeof events === 'string'
  const bytes = isText
    ? Buffer.from(events)
    : Buffer.from(events.buffer, events.byteOffset, events.byteLength)
  const isAscii = isText && events.length === bytes.length
  const text = isAscii ? events : bytes.toString('latin1')
  const isPlain = !text.includes('\r') && (isText || isUtf8(bytes))
  return (isPlain ? cutPlain(text, bytes) : undefined) ?? readAny(bytes)
}

export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEAD_BYTES_MAX + length)
  const at = writeHead(frame, 0, length)
  return frame.subarray(0, at + frame.write(text, at))
}

/** `text` is the bytes as latin1. Returns undefined when an event has more than a name and one line of data. */
function cutPlain(text: string, bytes: Buffer): SocketFrames | undefined {
  const { length } = text
  // A head fits into the space of `data: ` and the blank line, except for a frame of 64 KiB or more.
  const frames = Buffer.allocUnsafe(length + HEAD_BYTES_MAX * (length >> 16))
  let framesEnd = 0
  const last = { start: 0, dataAt: 0, end: 0 }
  for (let start = 0; start < length; ) {
    const isNamed = text.startsWith(EVENT, start)
    const lineAt = isNamed ? text.indexOf('\n', start) + 1 : start
    const end = text.indexOf('\n', lineAt)
    if (end === -1 || text.charCodeAt(end + 1) !== LF) return undefined
    if (text.startsWith(DATA, lineAt)) {
      last.start = start
      last.dataAt = lineAt + DATA.length
      last.end = end
      framesEnd = writeHead(frames, framesEnd, end - last.dataAt)
      framesEnd += bytes.copy(frames, framesEnd, last.dataAt, end)
    } else if (isNamed || text.charCodeAt(start) !== COLON) return undefined
    start = end + 2
  }
  const name = NAME.exec(text.slice(last.start, last.dataAt))?.[1]
  const isGood = isGoodEnd(name, text.slice(last.dataAt, last.dataAt + TYPE_LENGTH_MAX))
  return {
    frames: frames.subarray(0, framesEnd),
    goodEnd: isGood ? bytes.toString('utf8', last.dataAt, last.end) : undefined,
  }
}

function readAny(bytes: Buffer): SocketFrames {
  const frames: Buffer[] = []
  let goodEnd: string | undefined
  const splitter = createFrameSplitter(
    (name, data) => {
      frames.push(frameOf(data))
      goodEnd = isGoodEnd(name, data) ? data : undefined
    },
    // The relay has checked their size.
    { maxFrameBytes: Number.POSITIVE_INFINITY },
  )
  splitter.push(bytes)
  splitter.end()
  return { frames: Buffer.concat(frames), goodEnd }
}

const EVENT = 'event: '
const DATA = 'data: '
const NAME = /^event: (.+)\n/
const TYPE = /^\s*\{\s*"type"\s*:\s*"([^"\\]*)"/
/** Length of an event's beginning that contains its type. */
const TYPE_LENGTH_MAX = 64
const LF = 10
const COLON = 58
const GOOD_ENDS: ReadonlySet<string | undefined> = new Set(['response.completed', 'response.incomplete'])

/** Some vendors leave the name out. */
function isGoodEnd(name: string | undefined, data: string): boolean {
  return GOOD_ENDS.has(name ?? TYPE.exec(data)?.[1])
}

const HEAD_BYTES_MAX = 10
/** Final fragment of type text. */
const WHOLE_TEXT = 0x81

/** Writes the head of a server frame (RFC 6455, 5.2) and returns the offset after it. */
function writeHead(target: Buffer, at: number, length: number): number {
  target[at] = WHOLE_TEXT
  if (length < 126) {
    target[at + 1] = length
    return at + 2
  }
  if (length < 65_536) {
    target[at + 1] = 126
    return target.writeUInt16BE(length, at + 2)
  }
  target[at + 1] = 127
  target.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2)
  return target.writeUInt32BE(length % 2 ** 32, at + 6)
}
