import type { JsonObject } from '@sluice/dialects/json/json-object'
import { expect } from 'vitest'
import { type Client, clientOf } from '../video/call-api.ts'
import type { VideoApi } from '../video/start-video-api.ts'
import type { Tenant } from '../video/tenants.ts'

export const ASSETS_PATH = '/v1/video/assets'
export const SESSIONS_PATH = `${ASSETS_PATH}/sessions`

export const IMAGE = { url: 'https://media.example/cat-instant.png', asset_type: 'Image' }

export const CALLBACK_URL = 'https://client.example/verified?order=7'

/** Response to a browser that opened a link of a verification; `location`: the address it is sent to. */
export interface Visit {
  status: number
  headers: Headers
  location: string | null
  text: string
}

export async function visit(url: string, headers: Record<string, string> = {}): Promise<Visit> {
  const answer = await fetch(url, { redirect: 'manual', headers })
  return {
    status: answer.status,
    headers: answer.headers,
    location: answer.headers.get('location'),
    text: await answer.text(),
  }
}

/** Client of the API for assets and people. */
export function assetClientOf(api: VideoApi, tenant: Pick<Tenant, 'key'>) {
  const { call }: Client = clientOf(api, tenant)
  const client = {
    call,
    upload: (body: object | string = IMAGE) => call('POST', ASSETS_PATH, { body }),
    getAsset: (id: string) => call('GET', `${ASSETS_PATH}/${id}`),
    listAssets: (query = '') => call('GET', `${ASSETS_PATH}${query}`),
    startSession: (body: object | string = { callback_url: CALLBACK_URL }) =>
      call('POST', SESSIONS_PATH, { body }),

    /** Uploads an asset, which the gateway must accept, and returns its id. */
    async make(more: object = {}): Promise<string> {
      const answer = await client.upload({ ...IMAGE, ...more })
      expect(answer).toMatchObject({ status: 200 })
      return String(answer.body.id)
    },
    /** Uploads an asset, which the next read must show as active, and returns its id. */
    async makeActive(more: object = {}): Promise<string> {
      const id = await client.make(more)
      expect(await client.getAsset(id)).toMatchObject({ body: { status: 'active' } })
      return id
    },
    /** Starts a verification and ends its scan; returns the address to which the vendor sends the browser. */
    async scan({
      ending = 'success',
      person = 1,
      callbackUrl = CALLBACK_URL,
      lang = 'zh',
    } = {}): Promise<string> {
      const { status, body } = await client.startSession({ callback_url: callbackUrl, lang })
      expect(status).toBe(200)
      const { location } = await visit(`${body.h5_link}&ending=${ending}&person=${person}`)
      return String(location)
    },
    /** Verifies a person, from the link to the end, and returns the person's group. */
    async verify(person = 1): Promise<string> {
      const { location } = await visit(await client.scan({ person }))
      const groupId = new URL(String(location)).searchParams.get('group_id')
      if (groupId === null) throw new Error(`no group in ${location}`)
      return groupId
    },
  }
  return client
}

export type AssetClient = ReturnType<typeof assetClientOf>

export function itemsOf({ body }: { body: JsonObject }): unknown[] {
  return Array.isArray(body.items) ? body.items : []
}
