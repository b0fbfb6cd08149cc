import { PROFILE } from './h264/parameter-sets.ts'

export interface Film {
  width: number
  height: number
  framesPerSecond: number
  sequence: Buffer
  pictureSet: Buffer
  samples: readonly { unit: Buffer; isKey: boolean }[]
}

/** The film as a file whose index comes before its pictures, so that a player can begin before all has arrived. */
export function writeMp4(film: Film): Buffer {
  const head = box('ftyp', 'isom', u32(0x200), 'isomiso2avc1mp41')
  const pictures = film.samples.flatMap(({ unit }) => [u32(unit.length), unit])
  const index = indexOf(film, 0)
  const picturesStart = head.length + index.length + BOX_HEAD_BYTES
  return Buffer.concat([head, indexOf(film, picturesStart), box('mdat', ...pictures)])
}

const BOX_HEAD_BYTES = 8
const NO_FLAGS = u32(0)
/** No rotation, no scaling: fixed point numbers in a 3 x 3 matrix. */
const MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))
const UNDETERMINED_LANGUAGE = 0x55c4

function indexOf(film: Film, picturesStart: number): Buffer {
  const { width, height, framesPerSecond, samples } = film
  const frames = u32(samples.length)
  const dates = [u32(0), u32(0)]
  return box(
    'moov',
    box(
      'mvhd',
      NO_FLAGS,
      ...dates,
      u32(framesPerSecond),
      frames,
      u32(0x10000),
      u16(0x100),
      zeros(10),
      MATRIX,
      zeros(24),
      u32(2),
    ),
    box(
      'trak',
      box(
        'tkhd',
        u32(3),
        ...dates,
        u32(1),
        zeros(4),
        frames,
        zeros(16),
        MATRIX,
        u32(width << 16),
        u32(height << 16),
      ),
      box(
        'mdia',
        box('mdhd', NO_FLAGS, ...dates, u32(framesPerSecond), frames, u16(UNDETERMINED_LANGUAGE), u16(0)),
        box('hdlr', NO_FLAGS, u32(0), 'vide', zeros(12), 'video\0'),
        box(
          'minf',
          box('vmhd', u32(1), zeros(8)),
          box('dinf', box('dref', NO_FLAGS, u32(1), box('url ', u32(1)))),
          sampleTables(film, picturesStart),
        ),
      ),
    ),
  )
}

function sampleTables(film: Film, picturesStart: number): Buffer {
  const { samples } = film
  const keys = samples.flatMap(({ isKey }, at) => (isKey ? [u32(at + 1)] : []))
  return box(
    'stbl',
    box('stsd', NO_FLAGS, u32(1), sampleDescription(film)),
    box('stts', NO_FLAGS, u32(1), u32(samples.length), u32(1)),
    box('stss', NO_FLAGS, u32(keys.length), ...keys),
    box('stsc', NO_FLAGS, u32(1), u32(1), u32(samples.length), u32(1)),
    box('stsz', NO_FLAGS, u32(0), u32(samples.length), ...samples.map(({ unit }) => u32(4 + unit.length))),
    box('stco', NO_FLAGS, u32(1), u32(picturesStart)),
  )
}

function sampleDescription({ width, height, sequence, pictureSet }: Film): Buffer {
  const dotsPerInch = u32(72 << 16)
  return box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width),
    u16(height),
    dotsPerInch,
    dotsPerInch,
    zeros(4),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    box(
      'avcC',
      Buffer.from([1, PROFILE.id, PROFILE.constraints, PROFILE.level, 0xff, 0xe1]),
      u16(sequence.length),
      sequence,
      Buffer.from([1]),
      u16(pictureSet.length),
      pictureSet,
    ),
  )
}

function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([u32(BOX_HEAD_BYTES + body.length), Buffer.from(type), body])
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value >>> 0)
  return buffer
}

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}

function zeros(count: number): Buffer {
  return Buffer.alloc(count)
}
