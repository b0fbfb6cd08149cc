import { onTestFinished } from 'vitest'
import type { QuotaSync } from '../../../src/app/limits/sync/announce-quota-change.ts'
import type { ServerParts } from '../../../src/http/server/server.ts'
import { type Answer, readAnswer } from './answer.ts'
import { ADMIN_KEY, memoryApp } from './memory-app.ts'
import { type Edge, startEdge } from './start-edge.ts'

interface AdminRoute {
  edge: Edge
  /** Sends a body, as it is when it is a string, with the right key unless another is given. */
  ask(body: unknown, more?: { method?: string; key?: string | undefined }): Promise<Answer>
  /** The ids that were asked to be synced. */
  synced: (string | number)[]
}

/** An edge of its own for one test, and the way to one of its admin routes. */
export async function askAdmin(
  route: 'organization' | 'user' | 'model-price',
  parts: {
    sync?: (id: string | number) => Promise<void>
    wired?: false
    admin?: ServerParts['admin']
  } = {},
): Promise<AdminRoute> {
  const synced: (string | number)[] = []
  const sync = async (id: string | number) => {
    synced.push(id)
    await parts.sync?.(id)
  }
  const quotaSync: QuotaSync | undefined =
    parts.wired === false ? undefined : { organization: sync, user: sync, modelPrice: sync }
  const edge = await startEdge({
    app: memoryApp({ quotaSync }),
    ...('admin' in parts && { admin: parts.admin }),
  })
  onTestFinished(() => edge.close())
  return {
    edge,
    synced,
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
