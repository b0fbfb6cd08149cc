/** A command line that the program does not understand. */
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

/** Thrown by a command that has already printed its findings, to set the exit code. */
export class FailedChecks extends Error {
  constructor(count: number) {
    super(count === 1 ? 'One check failed.' : `${count} checks failed.`)
    this.name = 'FailedChecks'
  }
}

/** A step that cannot be undone was not confirmed. */
export class NotConfirmed extends Error {}

/** A file that was given to a command and cannot be used. */
export class FileError extends Error {
  constructor(path: string, { wrong, fix }: { wrong: string; fix: string }) {
    super(`${path}: ${wrong}.\n${fix}`)
    this.name = 'FileError'
  }
}
