import type { Relay, VendorAnswer } from '../contract/relay.ts'

/**
 * Whether only the vendor's final usage shows a part of the cost, so that the gateway waits for it after the client has
 * left. This applies to a whole reply, a large event that is still being read, most reasoning, input from hosted tools,
 * and content behind an address or id in the request.
 */
export function hidesCost({ answer, hidesInput }: { answer: VendorAnswer; hidesInput(): boolean }): boolean {
  if (answer.kind === 'whole') return true
  const { relay } = answer
  if (relay.reading !== undefined || relay.awaitsCount === true) return true
  if (relay.isCounted === true) return false
  const { reasoning, mayReason = false, hostedCalls = 0 } = relay
  if (relay.state === 'flowing' && (reasoning !== undefined || mayReason || hostedCalls > 0)) return true
  return !hasCountedInput(relay) && hidesInput()
}

export function hasCountedInput({ tokens }: Pick<Relay, 'tokens'>): boolean {
  return tokens !== undefined && tokens.input + tokens.cachedInput + tokens.cacheWrite > 0
}
