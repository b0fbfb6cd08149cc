import { DIALECTS, TEXT_ENDPOINTS } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'

/** Headers in which the official clients of some dialects look for the id, at the paths of their dialect. */
const MORE_HEADERS: readonly { path: string; header: string }[] = TEXT_ENDPOINTS.flatMap((endpoint) => {
  const { requestIdHeader: header } = CLIENT_DIALECTS[endpoint]
  return header === undefined ? [] : [{ path: DIALECTS[endpoint].path, header }]
})

/** Adds the request's id to every response, for reports of clients and searches of operators. */
export function addIdHeaders(headers: Record<string, unknown>, id: string, target: string): void {
  headers['x-request-id'] = id
  for (const { path, header } of MORE_HEADERS) if (isUnder(path, target)) headers[header] = id
}

function isUnder(path: string, target: string): boolean {
  if (!target.startsWith(path)) return false
  const next = target.charAt(path.length)
  return next === '' || next === '/' || next === '?'
}
