import { DIALECTS, TEXT_ENDPOINTS } from '@sluice/dialects/dialect-facts'
import type { Area } from '../edge-request.ts'

const AREAS: readonly (readonly [prefix: string, area: Area])[] = [
  ...TEXT_ENDPOINTS.map((name) => [DIALECTS[name].path, name] as const),
  ['/admin', 'admin'],
]

/** Chooses the envelope for an unknown address. It affects only the format, never access. */
export function areaOfPath(target: string): Area {
  const path = plainPath(target)
  for (const [prefix, area] of AREAS) {
    if (path === prefix || path.startsWith(`${prefix}/`)) return area
  }
  return 'video'
}

/** `/%61dmin`, `//admin`, `/ADMIN` and `http://host/admin` all mean `/admin`. */
export function plainPath(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  return percentDecoded(path)
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
}

/** Decodes each run of escapes separately: an invalid run must not hide the others. */
function percentDecoded(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}
