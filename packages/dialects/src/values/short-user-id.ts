/** Maximum length for vendors of the other dialects; Claude Code's ids are longer. */
const LENGTH_MAX = 64

/** Keeps the beginning of an opaque id, which is the part that stays the same for one user. */
export function shortUserId(userId: string | undefined): string | undefined {
  return userId?.slice(0, LENGTH_MAX).toWellFormed()
}
