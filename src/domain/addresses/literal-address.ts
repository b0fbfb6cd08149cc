import type { AddressCheck } from './address-check.ts'

/** Checks a URL's host before it is resolved. Only an address can be checked yet, not a name. */
export function checkHost(url: URL, isAllowed: AddressCheck): 'name' | 'allowed' | 'forbidden' {
  const address = literalAddressOf(url)
  if (address === undefined) return 'name'
  return isAllowed(address) ? 'allowed' : 'forbidden'
}

/**
 * Returns the address in a URL; undefined: its host is a name. The URL parser normalizes unusual spellings (octal,
 * hexadecimal, short, full-width) for web addresses only, so the host is parsed again in an `http:` URL.
 */
export function literalAddressOf(url: URL): string | undefined {
  const host = URL.parse(`http://${url.host}`)?.hostname ?? ''
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined
}
