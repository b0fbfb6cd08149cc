import type { Kind } from './kind.ts'

/** The address that paths are appended to; a slash at its end is dropped, so that joining is plain. */
export const httpUrl: Kind<string> = {
  takes: 'an http:// or https:// address without credentials, query and fragment',
  secret: false,
  parse(text) {
    if (!/^https?:\/\//i.test(text)) return { wrong: 'does not start with http:// or https://' }
    const url = URL.parse(text)
    if (url === null) return { wrong: 'is not a valid address' }
    if (url.username !== '' || url.password !== '') return { wrong: 'carries credentials' }
    if (text.includes('?') || text.includes('#')) return { wrong: 'carries a query or a fragment' }
    return { value: url.href.replace(/\/+$/, '') }
  },
}
