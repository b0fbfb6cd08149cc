/** Codes of the problems that a request can have before any vendor sees it. */
export type RequestErrorCode = 'invalid_json' | 'missing_parameter' | 'invalid_parameter'

interface RequestErrorDetails {
  /** The client reads it. */
  message: string
  param?: string
  /** Line and column of a fault in JSON. They are not part of the message. */
  place?: string | undefined
  /** Details for programs; only the messages dialect carries them. */
  details?: object
}

/** A request that cannot be read, converted or written for a vendor. */
export class RequestError extends Error {
  readonly code: RequestErrorCode
  readonly param: string | null
  readonly place: string | undefined
  readonly details: object | undefined

  constructor(code: RequestErrorCode, details: RequestErrorDetails) {
    super(details.message)
    this.name = 'RequestError'
    this.code = code
    this.param = details.param ?? null
    this.place = details.place
    this.details = details.details
  }
}

/** Message for bytes that are not JSON. */
export const INVALID_JSON = 'body must be valid JSON'
