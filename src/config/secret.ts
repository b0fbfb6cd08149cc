import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/** Holds a value that no log, error or dump shows by accident: only `reveal()` returns it. */
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
