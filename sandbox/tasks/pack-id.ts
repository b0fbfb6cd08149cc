import { hash } from 'node:crypto'

/**
 * An id that carries its task. The vendor keeps nothing, so a restart loses nothing. The seal is no secret: it tells
 * an id of ours from one that was mistyped or cut.
 */
export function packId(prefix: string, values: readonly unknown[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${prefix}${payload}${sealOf(prefix, payload)}`
}

/** The values as they were packed: the seal vouches for their types. Undefined: not an id of ours. */
export function unpackId<Values extends readonly unknown[]>(prefix: string, id: string): Values | undefined {
  if (!id.startsWith(prefix)) return undefined
  const payload = id.slice(prefix.length, -SEAL_CHARACTERS)
  if (id.slice(-SEAL_CHARACTERS) !== sealOf(prefix, payload)) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

const SEAL_CHARACTERS = 8

function sealOf(prefix: string, payload: string): string {
  return hash('sha256', `sandbox id\n${prefix}\n${payload}`, 'base64url').slice(0, SEAL_CHARACTERS)
}
