import { readMember } from '../read-member.ts'

/** All that is looked at: who it says it is about. The rest is read from the vendor. */
export function parseNotice(
  query: unknown,
  body: unknown,
): { token: string | undefined; ticket: string | undefined } {
  return { token: readToken(query), ticket: textAt(body, 'id') }
}

export function readToken(query: unknown): string | undefined {
  return textAt(query, 'token')
}

function textAt(value: unknown, name: string): string | undefined {
  const member = readMember(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}
