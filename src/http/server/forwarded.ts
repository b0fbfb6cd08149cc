import { BlockList, isIP, SocketAddress } from 'node:net'
import type { RawRequest } from '../raw.ts'

/** Connection of the client according to proxies. */
export interface Forwarded {
  /** IPv4 address of the client, or the /64 of its IPv6 address, which one household or server owns. */
  addressOf(request: Pick<RawRequest, 'socket' | 'headers'>): string
  isHttps(request: Pick<RawRequest, 'socket' | 'headers'>): boolean
}

/**
 * `X-Forwarded-For` counts only from a trusted proxy. Each proxy appends the address of its peer; entries before those
 * of our own proxies come from the client. `X-Forwarded-Proto` counts from every peer while no proxy is listed: a
 * client that lies loses only its own cookie.
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
      // The first entry is from the proxy that the client connected to.
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

/** Normalizes an address: without a port or a zone, and IPv4 in IPv6 as IPv4. */
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
