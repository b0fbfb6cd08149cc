import { hash } from 'node:crypto'

/**
 * Makes an id that holds the data of its task, asset, group or session, so that they survive a restart. The mark at its
 * end is not a secret: it separates our ids from mistyped or cut ones.
 */
export function packId(prefix: string, values: readonly unknown[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${prefix}${payload}${markOf(prefix, payload)}`
}

/** The packed values: the mark proves their types. undefined: the id is not ours. */
export function unpackId<Values extends readonly unknown[]>(prefix: string, id: string): Values | undefined {
  if (!id.startsWith(prefix)) return undefined
  const payload = id.slice(prefix.length, -MARK_CHARACTERS)
  if (id.slice(-MARK_CHARACTERS) !== markOf(prefix, payload)) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

const MARK_CHARACTERS = 8

function markOf(prefix: string, payload: string): string {
  return hash('sha256', `sandbox id\n${prefix}\n${payload}`, 'base64url').slice(0, MARK_CHARACTERS)
}
