import { looseText } from './loose-value.ts'

/** Reads a vendor's id; undefined for one that no path can contain even when encoded. */
export function readTicketId(value: unknown): string | undefined {
  const id = looseText(value)
  if (id === undefined || !/^[\x21-\x7e]{1,1024}$/.test(id)) return undefined
  // No encoding prevents servers from reading these as the folder itself and its parent.
  return id === '.' || id === '..' ? undefined : id
}
