import type { Secrets } from '../../ports/secrets.ts'

/** What a verification keeps that others could use: the vendor's token, and addresses of the client's. */
export type Kept = 'token' | 'callback' | 'redirect'

export function sealKept(kind: Kept, text: string, id: string, secrets: Secrets): string {
  return secrets.seal(text, boundTo(kind, id))
}

export function openKept(kind: Kept, sealed: string, id: string, secrets: Secrets): string {
  const text = secrets.open(sealed, boundTo(kind, id))
  if (text === undefined) throw new Error(`the ${kind} of a verification cannot be opened`)
  return text
}

function boundTo(kind: Kept, id: string): string {
  return `verification-${kind}:${id}`
}
