import { ApiError } from '../../domain/api-error.ts'
import type { LoggedRequest, LogPosition, RequestFilter, RequestLogStore } from '../../ports/request-log.ts'
import type { Secrets } from '../../ports/secrets.ts'

export interface RequestList {
  requests: LoggedRequest[]
  /** undefined on the last page. A page may have fewer rows than its limit although another one follows. */
  nextCursor: string | undefined
}

export type ListRequests = (
  query: RequestFilter & { limit: number; cursor: string | undefined },
) => Promise<RequestList>

const BINDING = 'request-cursor'

export function listRequests(tools: {
  requestLog: Pick<RequestLogStore, 'page'>
  secrets: Secrets
}): ListRequests {
  const { requestLog, secrets } = tools
  return async ({ limit, cursor, ...filter }) => {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = filter
    if (fromMs >= toMs)
      throw new ApiError('invalid_parameter', {
        param: 'from',
        message: 'from must be before the end, which is exclusive.',
      })
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const { rows, next } = await requestLog.page({ filter, after, limit })
    const nextCursor = next === undefined ? undefined : secrets.encrypt(JSON.stringify(next), BINDING)
    return { requests: rows, nextCursor }
  }

  function readCursor(cursor: string): LogPosition {
    const text = secrets.decrypt(cursor, BINDING)
    if (text === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' })
    return JSON.parse(text)
  }
}
