import { useEffect, useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { frameWords } from '../words/frame.ts'
import { pathOf } from './navigate.ts'

export interface Found {
  path: string
  name: string
  /** Kind of the object, in one word. */
  kind: keyof typeof frameWords
}

const TYPING_MS = 200
const EACH_MAX = 6

/** Finds customers, keys and models by name or id, and other objects by id. An empty text sends no request. */
export function useFound(text: string): Found[] {
  const wanted = useDebounced(text.trim())
  const enabled = wanted !== ''
  const has = (...names: (string | null)[]) =>
    names.some((name) => name?.toLowerCase().includes(wanted.toLowerCase()))
  const customers = useRead('GET /organizations', { query: { search: wanted, limit: EACH_MAX } }, { enabled })
  const models = useRead('GET /models', { query: { search: wanted, limit: EACH_MAX } }, { enabled })
  const keys = useRead('GET /keys', { query: { search: wanted, limit: EACH_MAX } }, { enabled })
  const isKeyId = /^key_\w+$/.test(wanted)
  const key = useRead('GET /keys/{id}', { id: wanted }, { enabled: isKeyId })
  if (!enabled) return []
  const object = pathOf(wanted)
  const byId = isKeyId && key.data?.id === wanted ? [key.data] : []
  const foundKeys = [...byId, ...(keys.data?.data ?? []).filter(({ id }) => id !== wanted)].filter(
    ({ id, name, prefix }) => has(id, name, prefix),
  )
  return [
    ...(object === undefined ? [] : [{ path: object, name: wanted, kind: 'object' as const }]),
    ...(customers.data?.data ?? [])
      .filter(({ id, name }) => has(id, name) && pathOf(id) !== object)
      .map(({ id, name }) => ({ path: `/customers/${id}`, name: name || id, kind: 'organization' as const })),
    ...(models.data?.data ?? [])
      .filter(({ name }) => has(name))
      .map(({ name }) => ({
        path: `/models?model=${encodeURIComponent(name)}`,
        name,
        kind: 'model' as const,
      })),
    ...foundKeys.slice(0, EACH_MAX).map(({ id, name, prefix, organization_id }) => ({
      path: `/customers/${organization_id}?key=${id}`,
      name: name === '' ? `${prefix}…` : `${name} (${prefix}…)`,
      kind: 'apiKey' as const,
    })),
  ]
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
