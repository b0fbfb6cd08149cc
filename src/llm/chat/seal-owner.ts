/**
 * Whose seals of this dialect are. A provider may speak several dialects, and proofs mean something in their own alone; no
 * provider has a colon in its name.
 */
export function sealOwner(provider: string): string {
  return `${provider}:chat`
}
