import { hash } from 'node:crypto'

/**
 * Makes an id that holds its task. The vendor keeps nothing, so a restart loses nothing. The seal is not a secret: it
 * separates our ids from mistyped or cut ones.
 */
export function packId(prefix: string, values: readonly unknown[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${prefix}${payload}${sealOf(prefix, payload)}`
}

/** The packed values: the seal proves their types. undefined: the id is not ours. */
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
