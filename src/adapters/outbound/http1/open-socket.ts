import { isIP, connect as openPlain, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as openTls } from 'node:tls'
import errors from 'undici/lib/core/errors.js'

const { ConnectTimeoutError } = errors

/** Opens a connection; `done` is called once. */
export type OpenSocket = (done: (error: Error | undefined, socket?: Duplex) => void) => void

/** Probes of the operating system, so that a connection that died without a word is noticed. */
const PROBE_AFTER_MS = 60_000

/** Opens connections to one origin. Certificates are checked as Node checks them, and sessions of TLS are resumed. */
export function socketOpener({ origin, timeoutMs }: { origin: URL; timeoutMs: number }): OpenSocket {
  const isTls = origin.protocol === 'https:'
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const port = Number(origin.port || (isTls ? 443 : 80))
  // An address is no server name in TLS.
  const name = isIP(host) === 0 ? { servername: host } : {}
  let session: Buffer | undefined

  function open(): Socket {
    if (!isTls) return openPlain({ host, port })
    const socket = openTls({ host, port, ALPNProtocols: ['http/1.1'], session, ...name })
    return socket.on('session', (ticket) => {
      session = ticket
    })
  }

  return (done) => {
    const socket = open()
    socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS)
    const timer = setTimeout(() => {
      socket.destroy(new ConnectTimeoutError(`Connect Timeout Error (timeout: ${timeoutMs}ms)`))
    }, timeoutMs)
    const onError = (error: Error) => {
      clearTimeout(timer)
      done(error)
    }
    socket.once('error', onError)
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', onError)
      done(undefined, socket)
    })
  }
}
