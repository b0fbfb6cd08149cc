import { afterAll } from 'vitest'
import type { ServerParts } from '../../../src/http/server/server.ts'
import { type Answer, readAnswer } from './answer.ts'
import { ADMIN_KEY, memoryApp } from './memory-app.ts'
import { type Edge, startEdge } from './start-edge.ts'

type Id = string | number
type Sync = (id: Id) => Promise<void>

interface AdminRoute {
  /** Sends a body (a string unchanged) with the valid key, unless `more` has another. */
  ask(body: unknown, more?: { method?: string; key?: string | undefined }): Promise<Answer>
  /** The ids that were asked to be synced. */
  synced: Id[]
  /** Lines that were logged since the last call. */
  lines(): Edge['lines']
}

interface AdminParts {
  sync?: Sync
  wired?: false
  admin?: ServerParts['admin']
}

/** Starts one edge of each kind for all tests of a file. */
export function adminEdges(): (
  route: 'organization' | 'user' | 'model-price',
  parts?: AdminParts,
) => Promise<AdminRoute> {
  const edges = new Map<string, Promise<Edge>>()
  let synced: Id[] = []
  let answerSync: Sync | undefined
  const sync = async (id: Id) => {
    synced.push(id)
    await answerSync?.(id)
  }

  afterAll(async () => {
    for (const edge of edges.values()) await (await edge).close()
  })

  function edgeFor(parts: AdminParts): Promise<Edge> {
    const kind = `${parts.wired} ${'admin' in parts} ${parts.admin?.requestMsMax}`
    const quotaSync = parts.wired ?? { organization: sync, user: sync, modelPrice: sync }
    const edge =
      edges.get(kind) ??
      startEdge({
        app: memoryApp({ quotaSync: quotaSync || undefined }),
        ...('admin' in parts && { admin: parts.admin }),
      })
    edges.set(kind, edge)
    return edge
  }

  return async (route, parts = {}) => {
    const edge = await edgeFor(parts)
    const from = edge.lines.length
    synced = []
    answerSync = parts.sync
    return {
      synced,
      lines: () => edge.lines.slice(from),
      async ask(body, { method = 'POST', ...more } = {}) {
        const key = 'key' in more ? more.key : ADMIN_KEY
        const headers: Record<string, string> = { 'content-type': 'application/json' }
        if (key !== undefined) headers['x-admin-key'] = key
        const text = typeof body === 'string' ? body : JSON.stringify(body)
        const url = `${edge.url}/admin/quota/cache/sync/${route}`
        return readAnswer(await fetch(url, { method, headers, body: method === 'GET' ? null : text }))
      },
    }
  }
}
