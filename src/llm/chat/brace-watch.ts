/** Whether the braces and brackets of a JSON text are closed, told piece by piece: nothing is looked at twice. */
export class BraceWatch {
  #depth = 0
  #isInString = false
  #isEscaped = false

  get isClosed(): boolean {
    return this.#depth === 0 && !this.#isInString
  }

  pass(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) this.#take(piece.charCodeAt(at))
  }

  #take(code: number): void {
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
