import type { Emit } from '../hub/wire.ts'
import { sealOwner } from './seal-owner.ts'

/**
 * For vendors that want their reasoning back, and make no proof of it: its own text is the proof. So it comes back also
 * from a client that asked not to be shown it, and goes to nobody else.
 */
export function sealReasoning(provider: string, emit: Emit): Emit {
  let thought: string | undefined
  return (event) => {
    if (event.kind === 'block-start') thought = event.block.kind === 'reasoning' ? '' : undefined
    else if (event.kind === 'block-delta' && thought !== undefined) thought += event.text
    else if (event.kind === 'block-seal') thought = undefined
    else if (event.kind === 'block-end' && thought !== undefined) {
      emit({
        kind: 'block-seal',
        seal: { provider: sealOwner(provider), proof: Buffer.from(thought).toString('base64url') },
      })
      thought = undefined
    }
    emit(event)
  }
}

/** What `sealReasoning` put away. */
export function openSeal(proof: string): string {
  return Buffer.from(proof, 'base64url').toString()
}
