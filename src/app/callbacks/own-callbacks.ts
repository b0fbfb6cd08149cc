import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { CallbackState } from '../../domain/callbacks/callback-retry.ts'
import type { CallbackStore, OwnCallback } from '../../ports/callbacks.ts'
import type { Runtime } from '../runtime.ts'
import { readCursor, writeCursor } from '../video/list-tasks.ts'

export interface OwnCallbacks {
  listCallbacks(query: {
    caller: Caller
    state: CallbackState | undefined
    limit: number
    cursor: string | undefined
  }): Promise<{ callbacks: OwnCallback[]; nextCursor: string | undefined }>
  /** Makes a callback due again. The courier sends it within a second. */
  resendOwnCallback(callback: { id: string; caller: Caller }): Promise<OwnCallback>
}

export function ownCallbacks(
  input: Pick<Runtime, 'clock' | 'secrets'> & {
    callbacks: Pick<CallbackStore, 'listOwn' | 'resendOwn'>
  },
): OwnCallbacks {
  const { callbacks, secrets, clock } = input
  return {
    async listCallbacks({ caller, state, limit, cursor }) {
      const after = readCursor(cursor, caller, secrets)
      const found = await callbacks.listOwn({ keyId: caller.keyId, state, after, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return { callbacks: page, nextCursor: last && writeCursor(last.task, caller, secrets) }
    },
    async resendOwnCallback({ id, caller }) {
      const resent = await callbacks.resendOwn({ id, keyId: caller.keyId, atMs: clock.nowMs() })
      if (resent !== undefined) return resent
      throw new ApiError('not_found', { message: 'This API key has no such callback.' })
    },
  }
}
