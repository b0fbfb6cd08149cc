import { readFileSync } from 'node:fs'

export interface ClipSpec {
  width: number
  height: number
  seconds: number
  /** Label that makes the bytes of clips of one size and length unique. */
  label: string
  /** Left out: the clip has no marks. */
  marks?: 'valid' | 'broken' | undefined
}

const MEDIA = new URL('../media/', import.meta.url)

/** A silent MP4 that really plays: the fixture of that size, with the ordered length and the label written into it. */
export function makeClip({ width, height, seconds, label }: ClipSpec): Buffer {
  const clip = setLength(readFileSync(new URL(`${width}x${height}.mp4`, MEDIA)), seconds)
  return Buffer.concat([clip, box('free', label)])
}

const BOX_HEAD_BYTES = 8

// Offsets in the content of version 0 boxes (ISO/IEC 14496-12).
const SCALE_AT = 12
const DURATION_AT = 16
const TRACK_DURATION_AT = 20
const FRAME_COUNT_AT = 8
const FRAME_DURATION_AT = 12

/** Keeps every frame, and shows it for as long as the ordered length needs. */
function setLength(fixture: Buffer, seconds: number): Buffer {
  const clip = Buffer.from(fixture)
  const movie = findContent(clip, ['moov', 'mvhd'])
  const track = findContent(clip, ['moov', 'trak', 'tkhd'])
  const media = findContent(clip, ['moov', 'trak', 'mdia', 'mdhd'])
  const times = findContent(clip, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts'])
  const movieDuration = seconds * clip.readUInt32BE(movie + SCALE_AT)
  const mediaDuration = seconds * clip.readUInt32BE(media + SCALE_AT)
  clip.writeUInt32BE(movieDuration, movie + DURATION_AT)
  clip.writeUInt32BE(movieDuration, track + TRACK_DURATION_AT)
  clip.writeUInt32BE(mediaDuration, media + DURATION_AT)
  clip.writeUInt32BE(mediaDuration / clip.readUInt32BE(times + FRAME_COUNT_AT), times + FRAME_DURATION_AT)
  return clip
}

/** Offset of the content of the box at that path. */
function findContent(file: Buffer, path: readonly string[]): number {
  let at = 0
  for (const type of path) {
    while (file.toString('latin1', at + 4, at + BOX_HEAD_BYTES) !== type) at += file.readUInt32BE(at)
    at += BOX_HEAD_BYTES
  }
  return at
}

function box(type: string, content: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0${type}${content}`, 'latin1')
  bytes.writeUInt32BE(bytes.length)
  return bytes
}
