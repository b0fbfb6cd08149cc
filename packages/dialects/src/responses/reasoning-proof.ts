/**
 * Joins encrypted reasoning and the id of its item, both of which its vendor checks: other dialects have one field for a
 * proof.
 */
export function reasoningProof(id: unknown, encryptedContent: string): string {
  return typeof id === 'string' && ID.test(id) ? `${id}:${encryptedContent}` : encryptedContent
}

/** A proof without an id was made before ids were kept, or its vendor gives none. */
export function readReasoningProof(proof: string): { id: string | undefined; encryptedContent: string } {
  const colon = proof.indexOf(':')
  const id = proof.slice(0, colon)
  return colon > 0 && ID.test(id)
    ? { id, encryptedContent: proof.slice(colon + 1) }
    : { id: undefined, encryptedContent: proof }
}

const ID = /^rs_[\w-]{1,128}$/
