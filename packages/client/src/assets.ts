import type { ApiTypes } from './api-types.ts'
import type { Call } from './call.ts'
import { type Abortable, type WaitOptions, waitFor } from './pause.ts'

const PATH = '/v1/video/assets'
/** Result of a scan that succeeded. */
const VERIFIED = '10000'

export interface AssetSearch {
  group_id?: string
  status?: string
  name?: string
}

export function assetsOf(call: Call) {
  const get = (id: string, { signal }: Abortable = {}) =>
    call.json<ApiTypes['Asset']>(`${PATH}/${encodeURIComponent(id)}`, { signal })
  return {
    /** Registers media by its link. An order uses it as `asset://<id>` once it is active. */
    create: (asset: ApiTypes['CreateAssetRequest']) =>
      call.json<ApiTypes['CreateAssetReply']>(PATH, { method: 'POST', body: asset }),
    get,
    async *list(query: AssetSearch = {}): AsyncGenerator<ApiTypes['AssetSummary']> {
      for (let page = 1, seen = 0, total = 1; seen < total; page += 1) {
        const reply: ApiTypes['ListAssetsReply'] = await call.json(PATH, {
          query: { ...query, page, limit: 100 },
        })
        yield* reply.items
        if (reply.items.length === 0) return
        seen += reply.items.length
        total = reply.total_count
      }
    },
    /** Waits until an asset is active or failed, and returns it. */
    wait: (id: string, options: WaitOptions<ApiTypes['Asset']> = {}) =>
      waitFor(
        () => get(id, options),
        ({ status }) => status !== 'processing',
        options,
      ),
  }
}

export function peopleOf(call: Call) {
  return {
    /** Makes a link for one person, who opens it on a phone and is then sent to `callback_url`. */
    startVerification: (session: ApiTypes['CreateSessionRequest']) =>
      call.json<ApiTypes['CreateSessionReply']>(`${PATH}/sessions`, { method: 'POST', body: session }),
    /** Reads the address to which the browser came back. Portraits of the person are created with this `groupId`. */
    readReturn(url: string | URL) {
      const { searchParams } = new URL(url)
      return {
        isVerified: searchParams.get('resultCode') === VERIFIED,
        groupId: searchParams.get('group_id') ?? undefined,
        consentUrl: searchParams.get('consent_url') ?? undefined,
      }
    },
  }
}
