/** A violation that the books found: the run ends with it. */
export class Violation extends Error {
  /** The broken invariant: a reduced run has to break the same one. */
  readonly rule: string

  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}
