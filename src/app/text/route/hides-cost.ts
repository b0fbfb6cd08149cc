import type { Answer, Relay } from '../relay/relay.ts'

/**
 * Whether a part of what a reply costs shows only in the vendor's last count, so that it is worth waiting for when the
 * client has left: all of a whole reply, a large event that is still being read, most of what a model thinks, what hosted
 * tools put in, and what lies at an address or under an id that the request only names.
 */
export function hidesCost({ answer, hidesInput }: { answer: Answer; hidesInput(): boolean }): boolean {
  if (answer.kind === 'whole') return true
  const { relay } = answer
  if (relay.reading !== undefined) return true
  if (relay.isCounted === true) return false
  const { reasoning, mayReason = false, hostedCalls = 0 } = relay
  if (relay.state === 'flowing' && (reasoning !== undefined || mayReason || hostedCalls > 0)) return true
  return !hasCountedInput(relay) && hidesInput()
}

export function hasCountedInput({ tokens }: Pick<Relay, 'tokens'>): boolean {
  return tokens !== undefined && tokens.input + tokens.cachedInput + tokens.cacheWrite > 0
}
