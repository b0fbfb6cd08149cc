/** Tells whether the braces and brackets of a JSON text are closed. It is fed piece by piece and reads nothing twice. */
export class JsonDepth {
  #depth = 0
  #isInString = false
  #isEscaped = false

  get isClosed(): boolean {
    return this.#depth === 0 && !this.#isInString
  }

  feed(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) this.#read(piece.charCodeAt(at))
  }

  #read(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === QUOTE) this.#isInString = !this.#isInString
    else if (this.#isInString) this.#isEscaped = code === BACKSLASH
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1
  }
}

const QUOTE = 34
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
