import type { AddressCheck } from '../../domain/addresses/address-check.ts'
import { checkHost } from '../../domain/addresses/literal-address.ts'
import { forbidden } from './network-error.ts'

/** Parses a URL of a client or vendor. Throws `forbidden` for a text that is not allowed. */
export function readGuardedUrl(text: string, isAllowed: AddressCheck): URL {
  const url = URL.parse(text)
  if (url === null) throw forbidden('not a URL')
  if (url.protocol !== 'https:') throw forbidden('not HTTPS')
  if (url.username !== '' || url.password !== '') throw forbidden('user-info in the URL')
  if (BLOCKED_PORTS.has(Number(url.port || 443))) throw forbidden('a port of another service')
  if (checkHost(url, isAllowed) === 'forbidden') throw forbidden('address not allowed')
  return url
}

/**
 * Ports of services that do not speak HTTP and might act on the bytes of a handshake or a request; HTTPS may
 * use any other port. The first four rows are the list of browsers (WHATWG Fetch, "port blocking"), and the
 * last row adds databases and queues.
 */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513],
  ...[514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720],
  ...[1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ...[445, 1433, 1521, 2379, 2380, 3306, 3389, 5432, 5672, 6379, 6432, 9042, 9092, 11211, 26379, 27017],
])
