import { isIP } from 'node:net'
import type { Kind } from './kind.ts'

/** An address or a name to listen on. */
export const host: Kind<string> = {
  takes: 'an IP address or a host name, such as 127.0.0.1, 0.0.0.0 or ::1',
  secret: false,
  parse(text) {
    if (isIP(text) !== 0) return { value: text }
    if (text.includes('/')) return { wrong: 'looks like a URL or a path' }
    if (/:\d+$/.test(text))
      return { wrong: 'carries a port', fix: 'Put the port into PORT and leave only the host here.' }
    const looksLikeAddress = /^[\d.]+$/.test(text)
    if (looksLikeAddress || !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text))
      return { wrong: 'is neither an IP address nor a host name' }
    return { value: text }
  },
}
