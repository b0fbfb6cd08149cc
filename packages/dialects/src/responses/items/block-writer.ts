import type { EventFrames } from '../event-frames.ts'

/** Names in the events of one kind of block. */
export interface BlockSpelling {
  /** `<event>.delta` brings the text in pieces, `<event>.done` as a whole. */
  event: string
  /** The member of `<event>.done` that holds the text. */
  member: string
  /** Further members of these events, as JSON that begins with a comma. */
  more: string
  /** `<part>.added` and `<part>.done` surround the text; undefined: no event does. */
  part: string | undefined
}

export const TEXT: BlockSpelling = {
  event: 'response.output_text',
  member: 'text',
  more: ',"logprobs":[]',
  part: 'response.content_part',
}
export const REFUSAL: BlockSpelling = {
  event: 'response.refusal',
  member: 'refusal',
  more: '',
  part: 'response.content_part',
}
export const SUMMARY: BlockSpelling = {
  event: 'response.reasoning_summary_text',
  member: 'text',
  more: '',
  part: 'response.reasoning_summary_part',
}
export const ARGUMENTS: BlockSpelling = {
  event: 'response.function_call_arguments',
  member: 'arguments',
  more: '',
  part: undefined,
}
export const INPUT: BlockSpelling = {
  event: 'response.custom_tool_call_input',
  member: 'input',
  more: '',
  part: undefined,
}

interface BlockPlace {
  /** JSON that every event of the block repeats: the place of its item and part. */
  at: string
  /** Further members of `<event>.done`, as JSON that begins with a comma; left out: none. */
  atEnd?: string
  frames: EventFrames | undefined
  /** Puts the text into the item; returns the part that holds it. */
  hold(text: string): object
}

/** Number of pieces that are joined at a time: a short string takes ten times the memory of its letters. */
const PIECES_MAX = 64

/** Writes one block of the reply: a part of a message, the input of a call, a summary of reasoning. */
export class BlockWriter {
  readonly #spelling: BlockSpelling
  readonly #place: BlockPlace
  #text = ''
  #pieces: string[] = []
  #hasBegun = false
  #before = ''
  #after = ''

  constructor(spelling: BlockSpelling, place: BlockPlace) {
    this.#spelling = spelling
    this.#place = place
  }

  get text(): string {
    if (this.#pieces.length > 0) this.#join()
    return this.#text
  }

  begin(): void {
    const { event, more, part } = this.#spelling
    const { at, frames, hold } = this.#place
    this.#hasBegun = true
    const empty = hold('')
    if (frames === undefined) return
    this.#before = `event: ${event}.delta\ndata: {"type":"${event}.delta",${at},"delta":`
    this.#after = `${more},"sequence_number":`
    if (part !== undefined) frames.spelled(`${part}.added`, `${at},"part":${JSON.stringify(empty)}`)
  }

  delta(text: string): void {
    if (!this.#hasBegun) this.begin()
    if (this.#pieces.push(text) === PIECES_MAX) this.#join()
    this.#place.frames?.delta(this.#before, text, this.#after)
  }

  /** A block that never began has no end. */
  end(): void {
    if (!this.#hasBegun) return
    const { event, member, more, part } = this.#spelling
    const { at, atEnd = '', frames, hold } = this.#place
    const held = hold(this.text)
    if (frames === undefined) return
    frames.spelled(`${event}.done`, `${at}${atEnd},"${member}":${JSON.stringify(this.#text)}${more}`)
    if (part !== undefined) frames.spelled(`${part}.done`, `${at},"part":${JSON.stringify(held)}`)
  }

  /** Keeps the text so far, and emits no event for its end. */
  abandon(): void {
    if (this.#hasBegun) this.#place.hold(this.text)
  }

  #join(): void {
    this.#text += this.#pieces.join('')
    this.#pieces = []
  }
}
