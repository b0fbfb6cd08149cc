import type { SecretChangeStore } from '../../ports/secret-change.ts'
import type { Runtime } from '../runtime.ts'

/** Looks up a text under its digests, in their order. Only a change of the secret gives a text two digests. */
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

/** Replaces the digest of a key when the key is used after a change of the secret. Never waits, never fails. */
export function moveDigestOf(
  input: Pick<Runtime, 'log' | 'secrets'> & {
    table: 'api_keys' | 'operators'
    secretChange: Pick<SecretChangeStore, 'replaceDigest'>
  },
): (id: string, key: string, found: string) => void {
  const { table, secretChange, secrets, log } = input
  return (id, key, found) => {
    const to = secrets.newerDigest(key, found)
    if (to === undefined) return
    secretChange.replaceDigest({ table, id, from: found, to }).catch((error: unknown) => {
      log.debug('secret.digest_not_moved', { error })
    })
  }
}
