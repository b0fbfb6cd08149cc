import { forbidden } from './network-error.ts'

/** Matches paths that URL parsing does not change: plain segments without a leading dot. */
const PLAIN = /^(?:\/[A-Za-z0-9_-][\w.-]*)+$/

/**
 * Returns a function that makes path and query of a request to `base`. A path is joined to the base's own path and must
 * not leave it. A vendor's whole URL must have the origin of the base, because the request carries credentials.
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
