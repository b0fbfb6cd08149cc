import type { Secrets } from '../../ports/secrets.ts'

/** What a verification keeps that others could use: the vendor's token, and addresses of the client's. */
export type Kept = 'token' | 'callback' | 'redirect'

export function encryptKept(kind: Kept, text: string, id: string, secrets: Secrets): string {
  return secrets.encrypt(text, keptBoundTo(kind, id))
}

export function openKept(kind: Kept, encrypted: string, id: string, secrets: Secrets): string {
  const text = secrets.decrypt(encrypted, keptBoundTo(kind, id))
  if (text === undefined) throw new Error(`the ${kind} of a verification cannot be opened`)
  return text
}

export function keptBoundTo(kind: Kept, id: string): string {
  return `verification-${kind}:${id}`
}
