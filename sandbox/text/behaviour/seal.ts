import { createHash } from 'node:crypto'

/** A proof of reasoning that contains the reasoning, so that it can be checked without memory. */
export function sealOf(dialect: string, reasoning: string): string {
  return `${Buffer.from(reasoning).toString('base64url')}.${proofOf(dialect, reasoning)}`
}

/** The reasoning in a seal; undefined: this dialect of this vendor did not make it. */
export function openSeal(dialect: string, seal: string): string | undefined {
  const [packed = '', proof] = seal.split('.')
  const reasoning = Buffer.from(packed, 'base64url').toString()
  return proof === proofOf(dialect, reasoning) ? reasoning : undefined
}

function proofOf(dialect: string, reasoning: string): string {
  return createHash('sha256').update(`sandbox\0${dialect}\0${reasoning}`).digest('base64url')
}
