/**
 * This wire proves reasoning in two ways: a signature beside the thinking, or a blob instead of it. On the way through
 * a client of another dialect both are just a proof, so the blob gets a mark to be told by when it comes back.
 */
export function redactedProof(data: string): string {
  return data === '' ? '' : MARK + data
}

/** undefined: a signature. */
export function readRedactedProof(proof: string): string | undefined {
  return proof.startsWith(MARK) ? proof.slice(MARK.length) : undefined
}

const MARK = 'redacted:'
