/** A command that checks things has already printed what it found; only the exit code is left to say. */
export class FailedChecks extends Error {
  constructor(count: number) {
    super(count === 1 ? 'One check failed.' : `${count} checks failed.`)
    this.name = 'FailedChecks'
  }
}
