import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { AddressCheck } from '../../domain/addresses/address-check.ts'
import { forbidden, NetworkError } from './network-error.ts'
import type { Resolve } from './resolve-name.ts'

/** Maximum number of tried addresses of a name. Trying any number would make the gateway a port scanner. */
const ADDRESSES_TRIED = 4

/**
 * Opens TLS connections for undici, only to allowed addresses. Resolves the name once, checks the addresses and connects
 * to a checked address, so that no second look-up can return another address. Literal addresses are checked too. The
 * certificate is checked against the name.
 */
export function guardedConnect(input: {
  isAllowed: AddressCheck
  resolve: Resolve
  timeoutMs: number
  signal: AbortSignal
}): buildConnector.connector {
  const { isAllowed, resolve, timeoutMs, signal } = input
  return ({ hostname, port, protocol }, callback) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    open().then(
      (socket) => callback(null, socket),
      (cause) => callback(cause instanceof NetworkError ? cause : refused(cause), null),
    )

    async function open(): Promise<TLSSocket> {
      if (protocol !== 'https:') throw forbidden('not HTTPS')
      const answers = isIP(hostname) === 0 ? await unlessOver(resolve(hostname, limit), limit) : [hostname]
      const addresses = answers.filter(isAllowed).slice(0, ADDRESSES_TRIED)
      if (addresses.length === 0) throw forbidden('address not allowed')
      return await openFirst(addresses)
    }

    async function openFirst(addresses: readonly string[]): Promise<TLSSocket> {
      const causes: unknown[] = []
      for (const address of addresses) {
        const share = AbortSignal.any([limit, AbortSignal.timeout(Math.ceil(timeoutMs / addresses.length))])
        try {
          return await openTlsSocket({ address, port: Number(port || 443), hostname, signal: share })
        } catch (cause) {
          causes.push(cause)
        }
      }
      throw new AggregateError(causes, 'no allowed address took the connection')
    }
  }
}

/** Rejects as soon as the signal aborts, even when the resolver ends later. */
function unlessOver<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>()
  const giveUp = () => over.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  return Promise.race([work, over.promise]).finally(() => signal.removeEventListener('abort', giveUp))
}

function refused(cause: unknown): NetworkError {
  return new NetworkError('refused', { taken: 'no', cause })
}

/** Connects to `address`; the certificate must be valid for `hostname`. */
function openTlsSocket(input: {
  address: string
  port: number
  hostname: string
  signal: AbortSignal
}): Promise<TLSSocket> {
  const { address, port, hostname, signal } = input
  if (signal.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  // A TLS server name is not an address and has no final dot.
  const name = isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : {}
  const socket = connect({ host: address, port, ALPNProtocols: ['http/1.1'], ...name })
  const giveUp = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  socket.once('error', reject)
  socket.once('close', () => {
    signal.removeEventListener('abort', giveUp)
    reject(new Error('closed before the handshake was over'))
  })
  socket.once('secureConnect', () => {
    signal.removeEventListener('abort', giveUp)
    socket.off('error', reject)
    resolve(socket)
  })
  return promise
}
