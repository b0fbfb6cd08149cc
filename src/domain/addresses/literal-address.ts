import type { AddressCheck } from './address-check.ts'

/** Checks a URL's host before it is resolved: a name tells nothing yet, an address can be checked. */
export function checkHost(url: URL, isAllowed: AddressCheck): 'name' | 'allowed' | 'forbidden' {
  const address = literalAddressOf(url)
  if (address === undefined) return 'name'
  return isAllowed(address) ? 'allowed' : 'forbidden'
}

/**
 * The address in a URL, or undefined when its host is a name. The URL parser has already turned decimal, octal,
 * hexadecimal, short, full-width and percent-encoded spellings into the plain one; for schemes that it leaves alone, the
 * host is parsed again as that of a web address.
 */
export function literalAddressOf(url: URL): string | undefined {
  const host = URL.parse(`http://${url.host}`)?.hostname ?? ''
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined
}
