import type { Log } from '../../ports/log.ts'
import type { SecretChangeStore } from '../../ports/secret-change.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** Looks a text up under each of its digests, in their order. A text has two digests only during a change of the secret. */
export async function findByDigests<Found>(
  digests: readonly string[],
  find: (digest: string) => Promise<Found | undefined>,
): Promise<{ found: Found; digest: string } | undefined> {
  for (const digest of digests) {
    const found = await find(digest)
    if (found !== undefined) return { found, digest }
  }
  return undefined
}

/**
 * After the switch to a new secret, replaces the digest of a key by the one under the new secret when the key is used. The
 * store never has the key itself, so this cannot be done earlier. Returns at once and does not fail.
 */
export function moveDigestOf(input: {
  table: 'api_keys' | 'operators'
  secretChange: Pick<SecretChangeStore, 'replaceDigest'>
  secrets: Secrets
  log: Log
}): (id: string, key: string, found: string) => void {
  const { table, secretChange, secrets, log } = input
  return (id, key, found) => {
    const to = secrets.newerDigest(key, found)
    if (to === undefined) return
    secretChange.replaceDigest({ table, id, from: found, to }).catch((error: unknown) => {
      log.debug('secret.digest_not_moved', { error })
    })
  }
}
