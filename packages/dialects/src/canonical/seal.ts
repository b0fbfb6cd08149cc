import type { Seal } from './reply-event.ts'

/**
 * Writes a proof of reasoning for a client of another dialect: `gw1.<provider>.<proof>`. The mark distinguishes it from
 * the client's own proofs, and names the provider that gets it back. A proof may contain dots.
 */
export function writeSeal({ provider, proof }: Seal): string {
  return `${MARK}${provider.replaceAll('%', '%25').replaceAll('.', '%2E')}.${proof}`
}

/**
 * Stands for a missing proof of reasoning; no provider has the name `-`. A vendor that checks proofs would refuse
 * reasoning without one, so the gateway leaves reasoning with this mark out of requests to it.
 */
export const UNSEALED = 'gw1.-.unsealed'

/**
 * Prefix of proofs that the gateway makes itself from content of chat vendors: reasoning text, or the signature of a call.
 * If a provider also speaks another dialect, that dialect would refuse these proofs.
 */
export const CHAT_SEAL_PREFIX = 'chat.'

/** Whether a vendor that proves its reasoning itself made this proof. */
export function isProofOf(provider: string, seal: Seal): boolean {
  return seal.provider === provider && !seal.proof.startsWith(CHAT_SEAL_PREFIX)
}

/** undefined: the text is not a seal of the gateway. */
export function readSeal(text: string): Seal | undefined {
  if (!text.startsWith(MARK)) return undefined
  const dot = text.indexOf('.', MARK.length)
  if (dot <= MARK.length || dot === text.length - 1) return undefined
  const provider = text.slice(MARK.length, dot).replaceAll('%2E', '.').replaceAll('%25', '%')
  return { provider, proof: text.slice(dot + 1) }
}

const MARK = 'gw1.'
