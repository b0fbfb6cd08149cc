import type { SandboxPart, SandboxRoute } from './part.ts'

export interface RouteMatch {
  part: SandboxPart
  route: SandboxRoute
  params: Record<string, string>
}

/** Tries every route in order; there are a few dozen at most. */
export function matchRoute(
  parts: readonly SandboxPart[],
  { method, path, query }: { method: string; path: string; query: URLSearchParams },
): RouteMatch | undefined {
  for (const part of parts) {
    const prefix = `/${part.name}`
    if (path !== prefix && !path.startsWith(`${prefix}/`)) continue
    for (const route of part.routes) {
      if (route.method !== method || !hasValues(query, route.query)) continue
      const params = matchPath(route.path, path.slice(prefix.length) || '/')
      if (params !== undefined) return { part, route, params }
    }
  }
  return undefined
}

function hasValues(query: URLSearchParams, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => query.get(name) === value)
}

/** The values of the `:name` parts; undefined: the path does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, piece] of wanted.entries()) {
    const value = given[at] ?? ''
    if (!piece.startsWith(':')) {
      if (piece !== value) return undefined
      continue
    }
    const decoded = decode(value)
    if (decoded === undefined || decoded === '') return undefined
    params[piece.slice(1)] = decoded
  }
  return params
}

function decode(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece)
  } catch {
    return undefined
  }
}
