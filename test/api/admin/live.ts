import { readUntil } from '../http-edge/read-until.ts'
import { ADMIN_KEY, type AdminApi } from './start-admin-api.ts'

/** Reads `/admin/v1/live` as an operator does. */
export async function watchRequests({ url }: AdminApi, { key = ADMIN_KEY, query = '' } = {}) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/admin/v1/live${query}`, {
    headers: { 'x-admin-key': key },
    signal: stop.signal,
  })
  return { answer, until: readUntil(answer), stop: () => stop.abort() }
}
