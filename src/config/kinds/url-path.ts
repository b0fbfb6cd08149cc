import type { Kind } from './kind.ts'

/** What is appended to an address. */
export const urlPath: Kind<string> = {
  takes: 'a path that starts with /, such as /v1/chat/completions, with a query if need be',
  secret: false,
  parse(text) {
    if (!/^\/[^/]/.test(text)) return { wrong: 'does not start with one /' }
    if (!/^[!-~]+$/.test(text) || text.includes('#'))
      return { wrong: 'has a character that a path cannot have' }
    return { value: text }
  },
}
