import type { AddressCheck } from './address-check.ts'

/** What a URL's host says before the resolver is asked: a name says nothing yet, an address can be checked. */
export function judgeHost(url: URL, isAllowed: AddressCheck): 'name' | 'allowed' | 'forbidden' {
  const address = literalAddressOf(url)
  if (address === undefined) return 'name'
  return isAllowed(address) ? 'allowed' : 'forbidden'
}

/**
 * The address a URL names outright, or undefined when its host is a name. The URL parser has already turned
 * decimal, octal, hexadecimal, short, full-width and percent-encoded spellings into the plain one; for schemes
 * it leaves alone, the host is read again as a web address would be.
 */
export function literalAddressOf(url: URL): string | undefined {
  const host = URL.parse(`http://${url.host}`)?.hostname ?? ''
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined
}
