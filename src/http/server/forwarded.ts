import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'

/** The connection of the client, by the report of proxies. */
export interface Forwarded {
  /** The IPv4 address of the client, or the /64 of its IPv6 address, which a household or a server gets as a whole. */
  addressOf(request: IncomingMessage): string
  /** True when the client itself uses https. */
  isHttps(request: IncomingMessage): boolean
}

/**
 * The header with addresses is believed only where the peer is a trusted proxy: each proxy appends the address that it
 * sees, and everything before the entries of our own proxies is the client's word.
 *
 * The header with the protocol is believed from every peer while no proxy is listed. A false one costs the client its
 * own cookie and nothing else.
 */
export function readForwarded(trustedProxies: readonly string[]): Forwarded {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', length] = range.split('/')
    trusted.addSubnet(address, Number(length), familyOf(address))
  }
  const isTrusted = (address: string) => trusted.check(address, familyOf(address))

  return {
    addressOf({ socket, headers }) {
      let address = readAddress(socket.remoteAddress ?? '') ?? ''
      const entries = listOf(headers['x-forwarded-for'])
      while (address !== '' && isTrusted(address)) {
        const next = readAddress(entries.pop() ?? '')
        if (next === undefined) break
        address = next
      }
      return isIP(address) === 6 ? subnetOf(address) : address
    },
    isHttps({ socket, headers }) {
      const peer = readAddress(socket.remoteAddress ?? '')
      if (trustedProxies.length > 0 && (peer === undefined || !isTrusted(peer))) return false
      // The proxy that the client spoke to came first.
      return listOf(headers['x-forwarded-proto'])[0]?.toLowerCase() === 'https'
    },
  }
}

function listOf(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().flatMap((line) => line.split(',').map((entry) => entry.trim()))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** Writes an address in one spelling, without a port or a zone; an IPv4 address that is written as IPv6 is what it is. */
function readAddress(text: string): string | undefined {
  const [, bracketed = text] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [bare = ''] = bracketed.replace(/^([\d.]+):\d+$/, '$1').split('%')
  const version = isIP(bare)
  if (version !== 6) return version === 4 ? bare : undefined
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address
}

function subnetOf(address: string): string {
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
