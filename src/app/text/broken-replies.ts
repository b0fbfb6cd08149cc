import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'
import type { TextFailure } from '../../ports/text-provider.ts'
import type { VendorRefusal } from './vendor-refusal.ts'

export const BROKEN: ReplyFailure = { kind: 'broken', message: 'The provider broke off its answer.' }

export const TOO_LARGE: ReplyFailure = {
  kind: 'broken',
  message: 'The provider sent more than can be taken.',
}

const TOO_LATE: ReplyFailure = { kind: 'too-late', message: 'The provider fell silent.' }

/** What a client hears of a reply that stopped in its middle. */
export function failureOfSilence({ kind }: TextFailure): ReplyFailure {
  return kind.startsWith('timeout') ? TOO_LATE : BROKEN
}

/** What a client hears of a "no" that came after its reply had begun. */
export function failureOfRefusal({ refusal, isTheirs }: VendorRefusal): ReplyFailure {
  const { code, message } = refusal
  if (code === 'context_length_exceeded') return { kind: 'too-long', message }
  return { kind: isTheirs ? 'vendor' : 'refused', message }
}
