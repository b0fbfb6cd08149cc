import type { Emit } from '../canonical/codec.ts'
import { CHAT_SEAL_PREFIX } from '../canonical/seal.ts'

/**
 * Seals reasoning for vendors that want it back and make no proof: the text itself becomes the proof. A client that
 * asked not to see the text then still sends it back, and no other vendor gets it. Reasoning with a seal stays
 * unchanged.
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

/** Reasoning that is too long for a later request gets no seal. */
function longer(thought: string, more: string): string | undefined {
  return thought.length + more.length > THOUGHT_LENGTH_MAX ? undefined : thought + more
}

const THOUGHT_LENGTH_MAX = 2 * 1024 * 1024

function proofOf(thought: string): string {
  return MARK + Buffer.from(thought).toString('base64url')
}

/** Text that `sealReasoning` put into a proof; empty: the proof is of another kind. */
export function openSeal(proof: string): string {
  return proof.startsWith(MARK) ? Buffer.from(proof.slice(MARK.length), 'base64url').toString() : ''
}

const MARK = `${CHAT_SEAL_PREFIX}thought.`
