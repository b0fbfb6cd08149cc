import type { JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import type { Edit } from './splice-bytes.ts'

/** Findings about a whole reply whose bytes are not kept. */
export interface ScannedReply {
  /** Its small top-level members; a large list, object or text is empty there. */
  readonly outline: JsonObject
  /** Bytes of the model's text, for a vendor that does not count. */
  readonly outputBytes: number
  /** The object has its closing brace. */
  readonly isWhole: boolean
}

interface ScannedMember {
  name: string
  /** First character of the value, if the value is a string, list or object. */
  opening: number
  bytes: number
  pieces: Buffer[]
}

/**
 * Reads a reply as it arrives, in constant memory: its small top-level members and the length of its text. It searches
 * JSON and does not validate it.
 */
export class ReplyScanner implements ScannedReply {
  readonly outline: Record<string, unknown> = {}
  outputBytes = 0
  isWhole = false
  /** The reply is not an object. */
  isOther = false
  readonly #model: string | undefined
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Start of the string in this piece, and its bytes in earlier pieces. */
  #stringAt = 0
  #stringBytes = 0
  /** The last string, if it is short enough for a name. */
  #lastString = ''
  /** Whether a string that comes next is the model's text. */
  #isText = false
  /** Whether an object or a list that comes next is the input of a call. */
  #isInput = false
  /** Depth of the input of a call, and its start in this piece. 0: none is being read. */
  #inputDepth = 0
  #inputAt = 0
  /** The top-level member whose value is being read, and the start of the value in this piece. */
  #member: ScannedMember | undefined
  #valueAt = 0
  #members = 0
  #hasModel = false
  #edits: Edit[] = []

  /** With `model`, `push` returns the edits that put this name into the reply. */
  constructor({ model }: { model?: string } = {}) {
    this.#model = model === undefined ? undefined : JSON.stringify(model)
  }

  /** Returns the edits for this piece, in order. */
  push(piece: Buffer): readonly Edit[] {
    this.#edits = []
    this.#stringAt = 0
    this.#valueAt = 0
    this.#inputAt = 0
    const { length } = piece
    let at = 0
    while (at < length && !this.isWhole && !this.isOther) {
      if (this.#isInString) at = this.#passString(piece, at)
      else {
        at = this.#passPlain(piece, at)
        if (at < length) this.#take(piece, at)
        at += 1
      }
    }
    if (this.#isInString) this.#keepString(piece)
    if (this.#inputDepth > 0) this.outputBytes += length - this.#inputAt
    if (this.#member !== undefined) this.#keep(this.#member, piece, length)
    return this.#edits
  }

  /** Skips characters without an effect: numbers and their commas, most often. */
  #passPlain(piece: Buffer, from: number): number {
    if (this.#depth === 0) return from
    const { length } = piece
    const kindMax = this.#depth > 1 && !this.#isText ? SEPARATES : PLAIN
    let at = from
    while (at < length && (KINDS[piece[at] as number] as number) <= kindMax) at += 1
    return at
  }

  #keepString(piece: Buffer): void {
    this.#stringBytes += piece.length - this.#stringAt
    if (this.#isText) this.outputBytes += piece.length - this.#stringAt
    this.#lastString =
      this.#stringBytes <= NAME_BYTES_MAX ? this.#lastString + piece.toString('latin1', this.#stringAt) : ''
  }

  #passString(piece: Buffer, from: number): number {
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at += 1
    }
    for (; at < piece.length; at += 1) {
      const code = piece[at]
      if (code === QUOTE) {
        this.#endString(piece, at)
        return at + 1
      }
      if (code !== BACKSLASH) continue
      at += 1
      if (at === piece.length) this.#isEscaped = true
    }
    return piece.length
  }

  #endString(piece: Buffer, end: number): void {
    const bytes = this.#stringBytes + end - this.#stringAt
    this.#isInString = false
    if (this.#isText) this.outputBytes += end - this.#stringAt
    this.#isText = false
    if (this.#depth === 1) this.#endMember(piece, end + 1)
    // Only strings that may be relevant names are decoded; most strings are short and in one piece.
    const isName =
      bytes <= NAME_BYTES_MAX &&
      (this.#depth === 1 || this.#stringBytes > 0 || mayBeTextMember(piece, this.#stringAt))
    this.#lastString = isName ? this.#lastString + piece.toString('latin1', this.#stringAt, end) : ''
  }

  #take(piece: Buffer, at: number): void {
    const code = piece[at] ?? 0
    const kind = KINDS[code]
    if (this.#depth === 0 && code !== OPEN_OBJECT) {
      this.isOther = !BLANKS.has(code)
      return
    }
    if (kind === BEHIND_NAME) this.#beginValue(at + 1)
    else if (kind === CLOSES) this.#close(piece, at)
    else if (kind === SEPARATES) {
      this.#isText = false
      if (this.#depth === 1) this.#endMember(piece, at)
    } else this.#open(code, at)
  }

  #beginValue(at: number): void {
    const name = this.#lastString
    this.#isText = this.#inputDepth === 0 && name !== '' && TEXT_MEMBERS.has(name)
    this.#isInput = this.#isText && (name === 'input' || name === 'arguments')
    if (this.#depth !== 1) return
    this.#members += 1
    const spelled = name.includes('\\') ? String(parseOrNone(`"${name}"`)) : name
    if (spelled === 'model') this.#hasModel = true
    // Beyond the maximum only the model is tracked, because its name is changed.
    else if (this.#members > MEMBERS_MAX) return
    this.#member = { name: spelled, opening: 0, bytes: 0, pieces: [] }
    this.#valueAt = at
  }

  #open(code: number, at: number): void {
    if (this.#depth === 1 && this.#member?.opening === 0) this.#member.opening = code
    if (code === QUOTE) {
      this.#isInString = true
      this.#stringAt = at + 1
      this.#stringBytes = 0
      this.#lastString = ''
      return
    }
    this.#depth += 1
    // The schema of a tool, which some vendors repeat, may also have a member `input` or `arguments`.
    if (this.#isText && this.#isInput && this.#member?.name !== 'tools') {
      this.#inputDepth = this.#depth
      this.#inputAt = at
    }
    this.#isText = false
  }

  #close(piece: Buffer, at: number): void {
    this.#isText = false
    if (this.#depth === 1) this.#endMember(piece, at)
    if (this.#depth === this.#inputDepth) {
      this.outputBytes += at + 1 - this.#inputAt
      this.#inputDepth = 0
    }
    this.#depth -= 1
    if (this.#depth === 1) this.#endMember(piece, at + 1)
    if (this.#depth > 0) return
    this.isWhole = true
    if (this.#model === undefined || this.#hasModel) return
    this.#edits.push({ start: at, end: at, text: `${this.#members === 0 ? '' : ','}"model":${this.#model}` })
  }

  #endMember(piece: Buffer, end: number): void {
    const member = this.#member
    if (member === undefined) return
    this.#keep(member, piece, end)
    this.#member = undefined
    if (this.#members > MEMBERS_MAX) return
    const { name, opening, bytes, pieces } = member
    this.outline[name] =
      bytes > MEMBER_BYTES_MAX
        ? EMPTY_VALUES.get(opening)
        : parseOrNone(Buffer.concat(pieces).toString('utf8'))
  }

  #keep(member: ScannedMember, piece: Buffer, end: number): void {
    const isFirst = member.bytes === 0
    const start = this.#valueAt
    member.bytes += end - start
    if (member.bytes <= MEMBER_BYTES_MAX) member.pieces.push(Buffer.from(piece.subarray(start, end)))
    else member.pieces = []
    if (member.name !== 'model' || this.#model === undefined) return
    this.#edits.push({ start, end, text: isFirst && end > start ? this.#model : '' })
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09])

const PLAIN = 0
const SEPARATES = 1
const OPENS = 2
const CLOSES = 3
const BEHIND_NAME = 4
/** Effect of each character outside of strings. */
const KINDS = new Uint8Array(256)
for (const [characters, kind] of [
  ['"{[', OPENS],
  ['}]', CLOSES],
  [',', SEPARATES],
  [':', BEHIND_NAME],
] as const)
  for (const code of Buffer.from(characters)) KINDS[code] = kind

const EMPTY_VALUES: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  [QUOTE, ''],
  [OPEN_OBJECT, {}],
  [0x5b, []],
])

const NAME_BYTES_MAX = 64
const MEMBERS_MAX = 64
/** Usage objects are a few hundred bytes. */
const MEMBER_BYTES_MAX = 8 * 1024

/** Members in which vendors of all dialects put the text of their models, in replies and in events. */
export const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  ...['content', 'text', 'thinking', 'reasoning', 'reasoning_content', 'refusal', 'arguments', 'input'],
  ...['delta', 'partial_json'],
])

const FIRST_LETTERS = new Uint8Array(65_536)
for (const name of TEXT_MEMBERS) FIRST_LETTERS[name.charCodeAt(0) * 256 + name.charCodeAt(1)] = 1

function mayBeTextMember(piece: Buffer, at: number): boolean {
  return FIRST_LETTERS[(piece[at] ?? 0) * 256 + (piece[at + 1] ?? 0)] === 1
}
