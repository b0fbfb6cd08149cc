import type { ReplyTokens } from '../hub/reply-event.ts'

/** No request is empty: a vendor that counted nothing going in did not count, and its reply is not free for that. */
export function countedTokens(tokens: ReplyTokens | undefined): ReplyTokens | undefined {
  if (tokens === undefined) return undefined
  return tokens.input + tokens.cachedInput + tokens.cacheWrite === 0 ? undefined : tokens
}
