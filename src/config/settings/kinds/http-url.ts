import { isIP } from 'node:net'
import { Secret } from '../../secret.ts'
import type { Kind } from './kind.ts'

/** Base address of paths. The parser drops a final slash, because paths begin with one. */
export const httpUrl: Kind<string> = {
  takes: 'an http:// or https:// address without credentials, query and fragment',
  parse(text) {
    if (!/^https?:\/\//i.test(text)) return { wrong: 'does not start with http:// or https://' }
    const url = URL.parse(text)
    if (url === null) return { wrong: 'is not a valid address' }
    if (url.username !== '' || url.password !== '') return { wrong: 'carries credentials' }
    if (text.includes('?') || text.includes('#')) return { wrong: 'carries a query or a fragment' }
    return { value: url.href.replace(/\/+$/, '') }
  },
}

/** Address of a receiver of messages. It is a secret, because its path may contain a token. */
export const httpsReceiver: Kind<Secret> = {
  takes: 'an https:// address without credentials and fragment',
  secret: true,
  parse(text) {
    if (!/^https:\/\//i.test(text)) return { wrong: 'does not start with https://' }
    const url = URL.parse(text)
    if (url === null) return { wrong: 'is not a valid address' }
    if (url.username !== '' || url.password !== '' || text.includes('#'))
      return { wrong: 'carries credentials or a fragment' }
    return { value: new Secret(url.href) }
  },
}

export const urlPath: Kind<string> = {
  takes: 'a path that starts with /, such as /v1/chat/completions, with a query if need be',
  parse(text) {
    if (!/^\/[^/]/.test(text)) return { wrong: 'does not start with one /' }
    if (!/^[!-~]+$/.test(text) || text.includes('#'))
      return { wrong: 'has a character that a path cannot have' }
    return { value: text }
  },
}

/** Address of a database or cache server. It is a secret, because it usually contains a password. */
export function serverUrl(input: { schemes: readonly string[]; example: string }): Kind<Secret> {
  const { schemes, example } = input
  const starts = schemes.map((scheme) => `${scheme}://`)
  return {
    takes: `an address such as ${example}`,
    secret: true,
    parse(text) {
      if (!starts.some((start) => text.startsWith(start)))
        return { wrong: `does not start with ${starts.join(' or ')}` }
      if (!alternatives(text).every((one) => URL.canParse(one)))
        return {
          wrong: 'is not a valid address',
          fix: `Use an address such as ${example}; special characters in the password must be percent-encoded.`,
        }
      return { value: new Secret(text) }
    },
  }
}

/**
 * Returns one address per host of a list of hosts. PostgreSQL accepts "user@/name" (a socket, whose folder
 * stands in the query) though `URL` does not, so such an address gets a host.
 */
function alternatives(text: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([^:]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? []
  return hosts
    .split(',')
    .map((host) => `${start}${start.endsWith('@') && host === '' ? 'localhost' : host}${rest}`)
}

export const host: Kind<string> = {
  takes: 'an IP address or a host name, such as 127.0.0.1, 0.0.0.0 or ::1',
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
