import { forbidden } from './network-error.ts'

/** Segments of plain characters, none of which begins with a dot: as a URL it is the same path. */
const PLAIN = /^(?:\/[A-Za-z0-9_-][\w.-]*)+$/

/**
 * Gives the path and query to ask `base` for. A path is joined to the base's own path, or is a whole URL of the same
 * origin, as vendors put them into answers. Whatever would leave the base is forbidden: our credentials go along.
 */
export function pathJoiner(base: URL): (path: string, query?: Record<string, string>) => string {
  const prefix = base.pathname.replace(/\/+$/, '')
  return (path, query) =>
    query === undefined && PLAIN.test(path) ? prefix + path : join({ base, prefix }, path, query)
}

function join(
  { base, prefix }: { base: URL; prefix: string },
  path: string,
  query: Record<string, string> = {},
): string {
  const isWhole = /^https?:\/\//i.test(path)
  if (!isWhole && !path.startsWith('/')) throw forbidden('a path must begin with a slash')
  const url = URL.parse(isWhole ? path : `${base.origin}${prefix}${path}`)
  if (url === null) throw forbidden('not a path')
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') {
    throw forbidden('another origin than the configured one')
  }
  if (!isWhole && url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) {
    throw forbidden('a path above the configured one')
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return `${url.pathname}${url.search}`
}
