import { Secret } from '../secret.ts'
import type { Kind } from './kind.ts'

/** Where a database or cache server listens. A secret, because a password is usually part of it. */
export function serverUrl({
  schemes,
  example,
}: {
  schemes: readonly string[]
  example: string
}): Kind<Secret> {
  const starts = schemes.map((scheme) => `${scheme}://`)
  return {
    takes: `an address such as ${example}`,
    secret: true,
    parse(text) {
      if (!starts.some((start) => text.startsWith(start)))
        return { wrong: `does not start with ${starts.join(' or ')}` }
      // "user@/name" (a socket, the host given in the query) is fine for the servers, though not for URL.
      if (!URL.canParse(text.replace('@/', '@localhost/')))
        return {
          wrong: 'is not a valid address',
          fix: `Use an address such as ${example}; special characters in the password must be percent-encoded.`,
        }
      return { value: new Secret(text) }
    },
  }
}
