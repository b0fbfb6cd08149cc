import type { Secrets } from '../../ports/secrets.ts'

/** Encrypted values of a verification: the vendor's token, and addresses of the client. */
export type KeptKind = 'token' | 'callback' | 'redirect'

export function encryptKept(kind: KeptKind, text: string, id: string, secrets: Secrets): string {
  return secrets.encrypt(text, keptBoundTo(kind, id))
}

export function openKept(kind: KeptKind, encrypted: string, id: string, secrets: Secrets): string {
  const text = secrets.decrypt(encrypted, keptBoundTo(kind, id))
  if (text === undefined) throw new Error(`the ${kind} of a verification cannot be opened`)
  return text
}

export function keptBoundTo(kind: KeptKind, id: string): string {
  return `verification-${kind}:${id}`
}
