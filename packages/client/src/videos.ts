import type { ApiTypes } from './api-types.ts'
import type { Call } from './call.ts'
import { type Abortable, type WaitOptions, waitFor } from './pause.ts'

const PATH = '/v1/video/generations'
const ENDS: readonly string[] = ['succeeded', 'failed', 'cancelled']

export function videosOf(call: Call) {
  const get = (id: string, { signal }: Abortable = {}) =>
    call.json<ApiTypes['Task']>(`${PATH}/${encodeURIComponent(id)}`, { signal })
  return {
    /** Asks for the price of an order. A video ordered with the `quote_id` never costs more than its `max_micros`. */
    quote: (order: ApiTypes['CreateQuoteRequest'], { signal }: Abortable = {}) =>
      call.json<ApiTypes['Quote']>('/v1/video/quotes', {
        ...{ method: 'POST', body: order, signal, isRepeatable: true },
      }),

    /** Orders a video. Every attempt has the same idempotency key, so one call makes at most one video. */
    create: (
      order: ApiTypes['CreateTaskRequest'],
      { signal, idempotencyKey = crypto.randomUUID() }: Abortable & { idempotencyKey?: string } = {},
    ) =>
      call.json<ApiTypes['CreateTaskReply']>(PATH, {
        ...{ method: 'POST', body: order, signal, isRepeatable: true },
        headers: { 'idempotency-key': idempotencyKey },
      }),

    get,

    /** Lists the videos of the key, newest first. */
    async *list({ signal }: Abortable = {}): AsyncGenerator<ApiTypes['TaskSummary']> {
      for (let cursor: string | undefined; cursor !== ''; ) {
        const page: ApiTypes['ListTasksReply'] = await call.json(PATH, {
          query: { cursor, limit: 100 },
          signal,
        })
        yield* page.data
        cursor = page.next_cursor
      }
    },

    /** Waits until a video has succeeded, failed or been cancelled, and returns it. */
    wait: (id: string, options: WaitOptions<ApiTypes['Task']> = {}) =>
      waitFor(
        () => get(id, options),
        ({ status }) => ENDS.includes(status),
        options,
      ),

    /** Cancels a queued video, or deletes one that has ended. The vendor decides what can be cancelled. */
    cancel: (id: string, { signal }: Abortable = {}) =>
      call.json<ApiTypes['DeleteTaskReply']>(`${PATH}/${encodeURIComponent(id)}`, {
        method: 'DELETE',
        signal,
      }),

    /** Streams a finished video through the gateway. An example of `range` is `bytes=0-1023`. */
    download: (id: string, { signal, range }: Abortable & { range?: string } = {}) =>
      call.send(`${PATH}/${encodeURIComponent(id)}/content`, {
        ...(range !== undefined && { headers: { range } }),
        signal,
      }),

    /** Gets the hash and marks of a kept video, with the receipt that `readProvenance` takes. */
    provenance: (id: string, { signal }: Abortable = {}) =>
      call.json<ApiTypes['Provenance']>(`${PATH}/${encodeURIComponent(id)}/provenance`, { signal }),
  }
}
