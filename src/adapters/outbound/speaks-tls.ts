import type { LookupFunction } from 'node:net'
import { connect } from 'node:tls'

/** Tells the diagnosis whether a TLS handshake succeeds, with any certificate. */
export function speaksTls(input: {
  url: URL
  timeoutMs: number
  lookup?: LookupFunction | undefined
}): Promise<boolean> {
  const { url, timeoutMs, lookup } = input
  return new Promise((resolve) => {
    const socket = connect({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      rejectUnauthorized: false,
      timeout: timeoutMs,
      lookup,
    })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('secureConnect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}
