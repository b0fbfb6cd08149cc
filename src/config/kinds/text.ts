import type { Kind } from './kind.ts'

/** Free text on one line. */
export function text({ takes }: { takes: string }): Kind<string> {
  return {
    takes,
    secret: false,
    parse: (given) => (/\p{Cc}/u.test(given) ? { wrong: 'holds a control character' } : { value: given }),
  }
}
