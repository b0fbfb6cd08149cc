import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/** A value that never appears in a log, an error or a dump by accident: only `reveal()` returns it. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
