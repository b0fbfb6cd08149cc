/** Thrown for a command line that the program does not understand. */
export class UsageError extends Error {
  constructor(fault: string, { form, example }: { form: string; example: string }) {
    super(`${sentence(fault)}\n\nRight form:   ${form}\nFor example:  ${example}`)
    this.name = 'UsageError'
  }
}

function sentence(fault: string): string {
  const [first = '', ...rest] = fault
  const text = `${first.toUpperCase()}${rest.join('')}`
  return /[.?)]$/.test(text) ? text : `${text}.`
}

/** Thrown by a command that has printed its findings, to set the exit code. */
export class FailedChecks extends Error {
  constructor(count: number) {
    super(count === 1 ? 'One check failed.' : `${count} checks failed.`)
    this.name = 'FailedChecks'
  }
}

/** Thrown when a person did not confirm a step that cannot be undone. */
export class NotConfirmed extends Error {}

/** Thrown for a file argument that a command cannot use. */
export class FileError extends Error {
  constructor(path: string, { wrong, fix }: { wrong: string; fix: string }) {
    super(`${path}: ${wrong}.\n${fix}`)
    this.name = 'FileError'
  }
}
