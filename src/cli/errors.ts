/** The command was called in a way it does not understand. */
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

/** A command that checks things has already printed what it found; only the exit code is left to say. */
export class FailedChecks extends Error {
  constructor(count: number) {
    super(count === 1 ? 'One check failed.' : `${count} checks failed.`)
    this.name = 'FailedChecks'
  }
}

/** A file that a command was given cannot be used. */
export class FileError extends Error {
  constructor(path: string, { wrong, fix }: { wrong: string; fix: string }) {
    super(`${path}: ${wrong}.\n${fix}`)
    this.name = 'FileError'
  }
}
