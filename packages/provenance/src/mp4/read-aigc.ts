import type { ClipReader } from '../clip-reader.ts'
import { type BoxSpan, findBoxes, readBoxes, readContent } from './read-boxes.ts'

/** Members of the metadata `AIGC`, in the order of GB 45438-2025. */
export const AIGC_MEMBERS = [
  'Label',
  'ContentProducer',
  'ProduceID',
  'ReservedCode1',
  'ContentPropagator',
  'PropagateID',
  'ReservedCode2',
] as const

export type AigcMark = Partial<Record<(typeof AIGC_MEMBERS)[number], string>>

export const AIGC_KEY = 'AIGC'

const ITEMS_BYTES_MAX = 65_536
const VALUE_CHARACTERS_MAX = 1_024

/** Reads the mark of a film: empty when a mark is present but unreadable, null when there is none. */
export async function readAigc(file: ClipReader): Promise<AigcMark | null> {
  const places = [...(await findBoxes(file, 'moov/meta')), ...(await findBoxes(file, 'moov/udta/meta'))]
  for (const meta of places) {
    const text = await readItem(file, meta)
    if (text !== undefined) return parseMark(text)
  }
  return null
}

async function readItem(file: ClipReader, meta: BoxSpan): Promise<string | undefined> {
  const [keys] = await findBoxes(file, 'keys', meta)
  const [list] = await findBoxes(file, 'ilst', meta)
  if (keys === undefined || list === undefined) return undefined
  const number = (await readKeys(file, keys)).indexOf(AIGC_KEY) + 1
  if (number === 0) return undefined
  const { boxes: items } = await readBoxes(file, list.contentStart, list.end)
  for (const item of items) {
    if (numberOf(item) !== number) continue
    const [data] = await findBoxes(file, 'data', item)
    if (data === undefined) return ''
    const content = await readContent(file, data, ITEMS_BYTES_MAX)
    // Type and locale are before the text.
    return textOf(content, Math.min(8, content.byteLength))
  }
  return ''
}

/** Names of the keys: an entry has its size, a namespace of four letters and the name. */
async function readKeys(file: ClipReader, box: BoxSpan): Promise<string[]> {
  const content = await readContent(file, box, ITEMS_BYTES_MAX)
  const names: string[] = []
  for (let at = 8; at + 8 <= content.byteLength; ) {
    const size = content.getUint32(at)
    if (size < 8 || at + size > content.byteLength) break
    names.push(textOf(content, at + 8, at + size))
    at += size
  }
  return names
}

/** The type of an item is the number of its key, from 1. */
function numberOf({ type }: BoxSpan): number {
  return [...type].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)
}

function parseMark(text: string): AigcMark {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown> | null
    const members = (parsed?.[AIGC_KEY] ?? parsed ?? {}) as Record<string, unknown>
    const known = AIGC_MEMBERS.flatMap((name) => {
      const value = members[name]
      return typeof value === 'string' ? [[name, value.slice(0, VALUE_CHARACTERS_MAX)]] : []
    })
    return Object.fromEntries(known)
  } catch {
    return {}
  }
}

function textOf(view: DataView, from: number, to: number = view.byteLength): string {
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + from, to - from))
}
