import { request } from 'undici'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

/** One call on a connection of its own. */
export async function call(url: string, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { statusCode, headers: received, body } = await request(url, { headers, reset: true })
  return { status: statusCode, headers: received, body: await body.json() }
}
