import type { Emit } from '../canonical/codec.ts'
import { CHAT_SEAL_PREFIX } from '../canonical/seal.ts'

/**
 * For vendors that want their reasoning back, and make no proof of it: its own text is the proof. So it comes back also
 * from a client that asked not to be shown it, and goes to no other vendor. Reasoning that is sealed already is left alone.
 */
export function sealReasoning(provider: string, emit: Emit): Emit {
  let thought: string | undefined
  return (event) => {
    if (event.kind === 'block-start') thought = event.block.kind === 'reasoning' ? '' : undefined
    else if (event.kind === 'block-delta' && thought !== undefined) thought = longer(thought, event.text)
    else if (event.kind === 'block-seal') thought = undefined
    else if (event.kind === 'block-end' && thought !== undefined) {
      emit({ kind: 'block-seal', seal: { provider, proof: proofOf(thought) } })
      thought = undefined
    }
    emit(event)
  }
}

/** A thought that is too long for a later request is not kept. */
function longer(thought: string, more: string): string | undefined {
  return thought.length + more.length > THOUGHT_LENGTH_MAX ? undefined : thought + more
}

const THOUGHT_LENGTH_MAX = 2 * 1024 * 1024

function proofOf(thought: string): string {
  return MARK + Buffer.from(thought).toString('base64url')
}

/** What `sealReasoning` put away; empty: nothing of its making. */
export function openSeal(proof: string): string {
  return proof.startsWith(MARK) ? Buffer.from(proof.slice(MARK.length), 'base64url').toString() : ''
}

const MARK = `${CHAT_SEAL_PREFIX}thought.`
