/** FNV-1a: small, and the same in every process, so that a vendor's prompt cache sees the same names again. */
export function digestOf(text: string, seed = 0x811c9dc5): string {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
