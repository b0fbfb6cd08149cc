import { AIGC_KEY, AIGC_MEMBERS, type AigcMark } from './read-aigc.ts'
import { makeBox } from './read-boxes.ts'

/** Makes the box `moov/meta` with the metadata `AIGC`. It has no version, as in QuickTime: exiftool reads no other form. */
export function makeAigcBox(mark: AigcMark): Uint8Array {
  const members = AIGC_MEMBERS.map((name) => [name, mark[name] ?? ''])
  const text = Buffer.from(JSON.stringify(Object.fromEntries(members)))
  const handler = Buffer.alloc(25)
  handler.write('mdta', 8, 'latin1')
  const key = Buffer.from(`mdta${AIGC_KEY}`)
  const item = makeBox('\0\0\0\x01', makeBox('data', uint32(UTF8, 0), text))
  return makeBox(
    'meta',
    makeBox('hdlr', handler),
    makeBox('keys', uint32(0, 1, key.length + 4), key),
    makeBox('ilst', item),
  )
}

/** Type code of a `data` box with UTF-8 text. */
const UTF8 = 1

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, 4 * index)
  })
  return bytes
}
