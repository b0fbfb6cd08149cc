import { looseText } from './loose-value.ts'

/** A vendor's id that can stand in a path once it is encoded; undefined for one that no path can hold. */
export function readTicketId(value: unknown): string | undefined {
  const id = looseText(value)
  if (id === undefined || !/^[\x21-\x7e]{1,1024}$/.test(id)) return undefined
  // No encoding keeps these from being read as "this folder" and "the one above".
  return id === '.' || id === '..' ? undefined : id
}
