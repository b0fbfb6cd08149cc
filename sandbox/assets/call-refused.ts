/** The vendor's error for a call: thrown anywhere in its work, and written by `answerCall`. */
export class CallRefused extends Error {
  readonly status: number
  readonly code: string

  constructor({ status, code, message }: { status: number; code: string; message: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function invalidParameter(name: string, expected: string): CallRefused {
  const code = name === '' ? 'InvalidParameter' : `InvalidParameter.${name}`
  const subject = name === '' ? 'The request body' : `The parameter \`${name}\``
  return new CallRefused({ status: 400, code, message: `${subject} must be ${expected}.` })
}

export function notFound(what: string, id: string): CallRefused {
  const message = `The specified ${what} ${JSON.stringify(id.slice(0, 80))} is not found.`
  return new CallRefused({ status: 404, code: `NotFound.${what}`, message })
}
