import { openSeal, sealOf } from '../behaviour/seal.ts'
import type { Field } from '../field.ts'

/** Prefix of ids of signed calls: it tells the vendor, without memory, that a call must come back signed. */
const SIGNED = 'call_signed'
const SEALED_BY = 'chat-call'

/** Returns the id of a call, and the signature of the first call when `signsCalls` is set. */
export function identifyCall(
  index: number,
  { newId, signsCalls }: { newId(prefix: string): string; signsCalls: boolean },
): { id: string; extra_content?: object } {
  if (!signsCalls || index > 0) return { id: newId('call') }
  const id = newId(SIGNED)
  return { id, extra_content: { sandbox: { signature: sealOf(SEALED_BY, id) } } }
}

export function checkSignature(call: Field): void {
  const id = call.member('id').nonEmptyText()
  if (!id.startsWith(SIGNED)) return
  const extra = call.member('extra_content')
  if (!extra.isGiven) extra.fail('the call is missing its signature')
  const signature = extra.member('sandbox').member('signature')
  if (openSeal(SEALED_BY, signature.nonEmptyText()) !== id)
    signature.fail('is not the one that came with this call')
}
