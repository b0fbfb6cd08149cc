import type { JsonObject } from '@sluice/dialects/json/json-object'
import { expect } from 'vitest'
import { type Client, clientOf } from '../video/call-api.ts'
import type { VideoApi } from '../video/start-video-api.ts'
import type { Tenant } from '../video/tenants.ts'

export const ASSETS_PATH = '/v1/video/assets'
export const SESSIONS_PATH = `${ASSETS_PATH}/sessions`

export const IMAGE = { url: 'https://media.example/cat-instant.png', asset_type: 'Image' }

export const CALLBACK_URL = 'https://client.example/verified?order=7'

/** A browser that came to the end of a verification: where it was sent. */
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

    /** The id of an asset that must have been taken. */
    async make(more: object = {}): Promise<string> {
      const answer = await client.upload({ ...IMAGE, ...more })
      expect(answer).toMatchObject({ status: 200 })
      return String(answer.body.id)
    },
    /** The id of one that is active. */
    async makeActive(more: object = {}): Promise<string> {
      const id = await client.make(more)
      expect(await client.getAsset(id)).toMatchObject({ body: { status: 'active' } })
      return id
    },
    /** Starts a verification and plays the scan: the address that the vendor sends the browser to. */
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
    /** The group of a person who was verified from the link to the end. */
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
