import { ApiError } from '../api-error.ts'

/** Limit far above a line of a bill. Without it an unclosed quote would read the whole file. */
const RECORD_CHARACTERS_MAX = 65_536
const SEPARATORS = [',', ';', '\t'] as const

export interface CsvRecord {
  /** The line of the file on which the record begins, from 1. */
  line: number
  fields: readonly string[]
}

/**
 * RFC 4180 as bills use it. Lines end with or without CR, and empty lines are left out. A quoted field may hold separators,
 * line ends and doubled quotes. The separator is the most frequent one in the first line. Text comes in chunks of any size.
 *
 *   start  -> quoted at a quote, else plain     (the beginning of a field)
 *   plain  -> start at a separator or a line end
 *   quoted -> closed at a quote
 *   closed -> quoted at a second quote, start at a separator or a line end
 */
export class CsvReader {
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  #separator: string | undefined
  #head = ''
  #field = ''
  #fields: string[] = []
  #characters = 0
  #line = 1
  #beginsAt = 1
  #ready: CsvRecord[] = []

  push(chunk: string): CsvRecord[] {
    if (this.#separator !== undefined) return this.#read(chunk)
    this.#head += chunk
    if (!/[\r\n]/.test(this.#head)) {
      if (this.#head.length > RECORD_CHARACTERS_MAX) throw this.#fault('the first line is too long')
      return []
    }
    return this.#readHead()
  }

  /** Returns the last record of a file that does not end with a line end. */
  end(): CsvRecord[] {
    const records = this.#separator === undefined ? this.#readHead() : []
    if (this.#state === 'quoted') throw this.#fault('a quote is not closed')
    this.#endRecord()
    return [...records, ...this.#take()]
  }

  #readHead(): CsvRecord[] {
    const text = this.#head.replace(/^\uFEFF/, '')
    const [first = ''] = text.split(/[\r\n]/, 1)
    const bare = first.replaceAll(/"[^"]*"/g, '')
    const countOf = (separator: string) => bare.split(separator).length
    this.#separator = SEPARATORS.toSorted((one, other) => countOf(other) - countOf(one))[0]
    this.#head = ''
    return this.#read(text)
  }

  #read(chunk: string): CsvRecord[] {
    for (const character of chunk) this.#step(character)
    return this.#take()
  }

  #step(character: string): void {
    if (++this.#characters > RECORD_CHARACTERS_MAX)
      throw this.#fault(`it is longer than ${RECORD_CHARACTERS_MAX} characters, or a quote is not closed`)
    if (this.#state === 'quoted') {
      if (character === '\n') this.#line += 1
      if (character === '"') this.#state = 'closed'
      else this.#field += character
    } else if (character === '"' && this.#state !== 'plain') {
      if (this.#state === 'closed') this.#field += character
      this.#state = 'quoted'
    } else if (character === this.#separator) this.#endField()
    else if (character === '\n') {
      this.#endRecord()
      this.#line += 1
      this.#beginsAt = this.#line
    } else if (character !== '\r') {
      if (this.#state === 'closed') throw this.#fault('text follows a closing quote')
      this.#state = 'plain'
      this.#field += character
    }
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ''
    this.#state = 'start'
  }

  #endRecord(): void {
    const isEmpty = this.#fields.length === 0 && this.#field === '' && this.#state !== 'closed'
    this.#endField()
    if (!isEmpty) this.#ready.push({ line: this.#beginsAt, fields: this.#fields })
    this.#fields = []
    this.#characters = 0
  }

  #take(): CsvRecord[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #fault(what: string): ApiError {
    return new ApiError('invalid_parameter', { message: `Line ${this.#beginsAt} is not CSV: ${what}.` })
  }
}
