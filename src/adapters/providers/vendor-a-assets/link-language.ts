import type { Language } from '../../../domain/assets/verification-request.ts'

/**
 * The same link with the language in `lng`. The rest of the query is not read and written again: it carries
 * credentials, and another spelling of them may not be theirs any more.
 */
export function withLanguage(link: string, language: Language): string {
  const hash = link.indexOf('#')
  const [head, fragment] = hash === -1 ? [link, ''] : [link.slice(0, hash), link.slice(hash)]
  const mark = head.indexOf('?')
  const [address, query] = mark === -1 ? [head, ''] : [head.slice(0, mark), head.slice(mark + 1)]
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== 'lng')
  return `${address}?${[...others, `lng=${language}`].join('&')}${fragment}`
}
