import { plainHead } from './plain-head.ts'

/** Chat and responses ask for the name of a shape, in few letters; clients of others often give none. */
export function formatName(name: string | undefined): string {
  return plainHead(name ?? '', 64) || 'reply'
}
