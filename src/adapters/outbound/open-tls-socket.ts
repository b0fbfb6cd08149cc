import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'

/** Connects to `address` and nowhere else; the certificate must be one for `hostname`. */
export function openTlsSocket({
  address,
  port,
  hostname,
  signal,
}: {
  address: string
  port: number
  hostname: string
  signal: AbortSignal
}): Promise<TLSSocket> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  // An address is no server name in TLS, and a name has no final dot there.
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
