/** What a client developer wants to see of a request; queries and most headers, which carry credentials, are not kept. */
export interface LoggedRequest {
  at: string
  method: string
  path: string
  part: string | null
  operation: string | null
  /** The id of the fault rule that shaped the answer. */
  fault: string | null
  /** What was answered; null while nothing was. */
  status: number | null
  /** Those that the part shows. */
  headers?: Readonly<Record<string, string>>
  /** Its beginning, where the part shows it. */
  body?: string
}

export interface RequestLog {
  /** Returns the entry, so that the answer can be written into it. */
  add(request: LoggedRequest): LoggedRequest
  /** Newest first. */
  list(): LoggedRequest[]
}

const ENTRIES_MAX = 200
const PATH_CHARACTERS = 200

export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = []
  return {
    add(request) {
      const entry = { ...request, path: request.path.slice(0, PATH_CHARACTERS) }
      entries.push(entry)
      if (entries.length > ENTRIES_MAX) entries.shift()
      return entry
    },
    list: () => entries.toReversed(),
  }
}
