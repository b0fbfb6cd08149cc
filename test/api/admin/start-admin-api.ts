import { onTestFinished } from 'vitest'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'

export const ADMIN_KEY = 'an-admin-key-of-the-tests'

export const ENGINES = ['sqlite', 'postgres'] as const

export interface AdminAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
  text: string
}

export interface AdminApi extends TextApi {
  /** Asks `/admin/v1` with the admin key, or with another one. */
  ask(
    call: string,
    more?: { key?: string | undefined; body?: unknown; idempotencyKey?: string },
  ): Promise<AdminAnswer>
}

/** The gateway as it is composed for a server, with an admin API. */
export async function startAdminApi(options: Parameters<typeof startTextApi>[0] = {}): Promise<AdminApi> {
  const environment = { ADMIN_API_KEY: ADMIN_KEY, ...options.environment }
  const api = await startTextApi({ ...options, environment })
  return {
    ...api,
    async ask(call, { body, idempotencyKey, ...more } = {}) {
      const [method = 'GET', path = ''] = call.split(' ')
      const headers: Record<string, string> = {}
      const key = 'key' in more ? more.key : ADMIN_KEY
      if (key !== undefined) headers['x-admin-key'] = key
      if (body !== undefined) headers['content-type'] = 'application/json'
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
      const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await fetch(`${api.url}/admin/v1${path}`, { method, headers, body: sent })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
    },
  }
}

/** Starts an admin API that ends with its test. */
export async function withAdminApi(options: Parameters<typeof startTextApi>[0] = {}): Promise<AdminApi> {
  const api = await startAdminApi(options)
  onTestFinished(() => api.close())
  return api
}
