import type { ApiTypes } from './api-types.ts'
import { assetsOf, peopleOf } from './assets.ts'
import { createCall, type SluiceOptions } from './call.ts'
import { receiptsOf } from './receipts.ts'
import { videosOf } from './videos.ts'

export type { ApiTypes } from './api-types.ts'
export type { SluiceOptions } from './call.ts'
export { type ReceivedCallback, verifyCallback } from './callbacks.ts'
export type { WaitOptions } from './pause.ts'
export { type ReceiptContent, type VerifiedReceipts, verifyReceipts } from './receipts.ts'
export { SluiceError } from './sluice-error.ts'

export type SluiceClient = ReturnType<typeof createClient>

export interface UsageWindow {
  /** Groups: `day` or `hour`, `org`, `user`, `key`, `model`, or several with commas. Left out: `day`. */
  by?: string
  /** Days in UTC, such as `2026-11-01`, or full hours, such as `2026-11-01T05:00Z`; `to` is not included. */
  from?: string
  to?: string
}

/** Client of one gateway and one API key. */
export function createClient(options: SluiceOptions) {
  const call = createCall(options)
  return {
    videos: videosOf(call),
    assets: assetsOf(call),
    people: peopleOf(call),
    receipts: receiptsOf(call),
    /** The models that the key may use. */
    models: async () => (await call.json<ApiTypes['ListModelsReply']>('/v1/models')).data,
    balance: () => call.json<ApiTypes['Balance']>('/v1/balance'),
    /** Usage and cost of the organization, one row for each group. */
    async *usage(window: UsageWindow = {}): AsyncGenerator<ApiTypes['UsageSum']> {
      for (let cursor: string | undefined; cursor !== ''; ) {
        const page: ApiTypes['Usage'] = await call.json('/v1/usage', {
          query: { ...window, cursor, limit: 1_000 },
        })
        yield* page.data
        cursor = page.next_cursor
      }
    },
  }
}
