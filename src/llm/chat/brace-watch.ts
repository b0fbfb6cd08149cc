/**
 * Tells whether the braces and brackets of a growing JSON text are closed. Each look goes on where the one before ended,
 * so that all of them together cost no more than one over the whole.
 */
export class BraceWatch {
  #at = 0
  #depth = 0
  #isInString = false

  isClosed(text: string): boolean {
    for (; this.#at < text.length; this.#at += 1) this.#pass(text.charCodeAt(this.#at), text)
    return this.#depth === 0 && !this.#isInString
  }

  #pass(code: number, text: string): void {
    if (code === QUOTE) this.#isInString = !this.#isInString || isEscaped(text, this.#at)
    else if (this.#isInString) return
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1
  }
}

/** By an odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

const QUOTE = 34
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
