/** What vendors of the other dialects take; Claude Code's is longer. */
const LENGTH_MAX = 64

/** Of an opaque word only its beginning fits, which is the part that stays the same for one user. */
export function shortUserId(userId: string | undefined): string | undefined {
  return userId?.slice(0, LENGTH_MAX).toWellFormed()
}
