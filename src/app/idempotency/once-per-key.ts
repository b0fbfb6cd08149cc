import { ApiError } from '../../domain/api-error.ts'
import type { AdminRequestStore } from '../../ports/admin-requests.ts'
import type { Runtime } from '../runtime.ts'

/** Longer than an admin request can take. */
const LEASE_MS = 60_000
const KEPT_MS = 24 * 3_600_000

const CARRIED_OUT =
  'The request with this Idempotency-Key was carried out, but its answer was lost. It is not carried out again: look at what it made, or repeat the request with a new Idempotency-Key.'

/** Carries out a request of an operator once, and answers its repetitions with the first answer for 24 hours. */
export type OncePerKey = (
  request: { actor: string; key: string; bodyDigest: string },
  run: (claimId: string) => Promise<object>,
) => Promise<object>

export function oncePerKey(
  tools: Pick<Runtime, 'clock' | 'newId' | 'secrets'> & {
    adminRequests: AdminRequestStore
  },
): OncePerKey {
  const { adminRequests, secrets, newId, clock } = tools
  return async ({ actor, key, bodyDigest }, run) => {
    const id = newId('adm')
    const nowMs = clock.nowMs()
    const keyDigest = secrets.digest(`admin-request:${key}`)
    const others = secrets.digests(`admin-request:${key}`).filter((digest) => digest !== keyDigest)
    const lease = { leaseUntilMs: nowMs + LEASE_MS, expiresAtMs: nowMs + KEPT_MS }
    const found = await adminRequests.claim({
      id,
      actor,
      keyDigest,
      bodyDigest,
      nowMs,
      ...lease,
      ...(others.length > 0 && { others }),
    })
    if (found.kind === 'other-body') throw new ApiError('idempotency_key_reused')
    if (found.kind === 'running') throw new ApiError('idempotency_key_in_use')
    if (found.kind === 'done') throw new ApiError('idempotency_reply_gone', { message: CARRIED_OUT })
    if (found.kind === 'finished') return readAnswer(found)
    const answer = await runOrFree(id, run)
    // The change is stored. When its answer cannot be kept, a repetition gets an error that says so.
    await adminRequests
      .finish({ id, encryptedAnswer: secrets.encrypt(JSON.stringify(answer), answerBoundTo(id)) })
      .catch(() => {})
    return answer
  }

  /** A client's error (4xx) frees the key. After other errors the lease has to expire, because a change may have been stored. */
  async function runOrFree(id: string, run: (claimId: string) => Promise<object>): Promise<object> {
    try {
      return await run(id)
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) await adminRequests.free(id).catch(() => {})
      throw error
    }
  }

  function readAnswer({ id, encryptedAnswer }: { id: string; encryptedAnswer: string }): object {
    const text = secrets.decrypt(encryptedAnswer, answerBoundTo(id))
    if (text === undefined) throw new ApiError('idempotency_reply_gone', { message: CARRIED_OUT })
    return JSON.parse(text)
  }
}

/** The binding keeps an answer from being decrypted in another row. */
export function answerBoundTo(id: string): string {
  return `admin-request:${id}`
}
