/** What the books found wrong: the run ends with it. */
export class Violation extends Error {
  /** The invariant that was broken: a reduced run has to break the same one. */
  readonly rule: string

  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}
