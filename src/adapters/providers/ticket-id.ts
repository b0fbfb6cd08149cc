import { looseText } from './loose-value.ts'

/** Reads a vendor's id. Returns undefined for an id that cannot be a part of a path, even encoded. */
export function readTicketId(value: unknown): string | undefined {
  const id = looseText(value)
  if (id === undefined || !/^[\x21-\x7e]{1,1024}$/.test(id)) return undefined
  // Servers read `.` and `..` as a folder and its parent, even when they are encoded.
  return id === '.' || id === '..' ? undefined : id
}
