import { call } from './call.ts'

const NAME = 'console'
const kept = new Map<string, Promise<string>>()

/**
 * Sends a request with the API key `console` of an organization, which pays for the requests of the playground. The API
 * shows a key only once: a tab without it rotates the key, and the key that another tab keeps ends immediately. That tab
 * gets 401, rotates the key in turn, and sends its request once more.
 */
export async function withConsoleKey(
  organizationId: string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const used = consoleKey(organizationId)
  const reply = await send(await used)
  if (reply.status !== 401) return reply
  // A simultaneous request may have replaced the key by now.
  if (kept.get(organizationId) === used) kept.delete(organizationId)
  return send(await consoleKey(organizationId))
}

function consoleKey(organizationId: string): Promise<string> {
  const known = kept.get(organizationId) ?? makeKey(organizationId)
  kept.set(organizationId, known)
  known.catch(() => kept.delete(organizationId))
  return known
}

async function makeKey(organizationId: string): Promise<string> {
  const query = { organization_id: organizationId, limit: 100 }
  const { data: keys } = await call('GET /keys', { query })
  const old = keys.find(
    ({ name, revoked_at, expires_at }) => name === NAME && revoked_at === null && expires_at === null,
  )
  if (old !== undefined)
    return (await call('POST /keys/{id}/rotate', { id: old.id, body: { overlap_seconds: 0 } })).key
  const { data: users } = await call('GET /users', { query })
  const user =
    users.find(({ disabled_at }) => disabled_at === null) ??
    (await call('POST /users', { body: { organization_id: organizationId, name: NAME } }))
  const made = await call('POST /keys', {
    body: { organization_id: organizationId, user_id: user.id, name: NAME },
  })
  return made.key
}
