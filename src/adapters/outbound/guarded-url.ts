import type { AddressCheck } from './address-check.ts'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { judgeHost } from './literal-address.ts'
import { forbidden } from './network-error.ts'

/** Reads a stranger's URL and throws `forbidden` for what can be told from its text alone. */
export function readGuardedUrl(text: string, isAllowed: AddressCheck): URL {
  const url = URL.parse(text)
  if (url === null) throw forbidden('not a URL')
  if (url.protocol !== 'https:') throw forbidden('not HTTPS')
  if (url.username !== '' || url.password !== '') throw forbidden('user-info in the URL')
  if (BLOCKED_PORTS.has(Number(url.port || 443))) throw forbidden('a port of another service')
  if (judgeHost(url, isAllowed) === 'forbidden') throw forbidden('address not allowed')
  return url
}
