/** Parts of a request for a client developer; queries and most headers, which hold credentials, are not kept. */
export interface LoggedRequest {
  at: string
  method: string
  path: string
  part: string | null
  operation: string | null
  /** The id of the fault rule that shaped the answer. */
  fault: string | null
  /** Status of the answer; null while there is none. */
  status: number | null
  /** Headers that the part shows. */
  headers?: Readonly<Record<string, string>>
  /** Beginning of the body, where the part shows it. */
  body?: string
}

export interface RequestLog {
  /** Returns the entry, so that the answer can be written into it. */
  add(request: LoggedRequest): LoggedRequest
  /** The entries, newest first. */
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
