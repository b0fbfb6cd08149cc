import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { expect } from 'vitest'
import type { Tenant } from './tenants.ts'

export interface ApiAnswer {
  status: number
  headers: Headers
  body: JsonObject
}

export const TASKS_PATH = '/v1/video/generations'

export function textBody(words = '', more: object = {}): object {
  return { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: `a cat ${words}` }], ...more }
}

export function textBodyB(words = '', more: object = {}): object {
  return { ...textBody(words), model: 'vendorB/gen-v4-std', ...more }
}

/** Client of the API. A body that is a string is sent unchanged. */
export function clientOf({ url }: { url: string }, { key }: Pick<Tenant, 'key'>) {
  const call = async (
    method: string,
    path: string,
    { body, headers = {} }: { body?: object | string; headers?: Record<string, string> } = {},
  ): Promise<ApiAnswer> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: text }),
    })
    const value: unknown = await answer.json()
    if (!isJsonObject(value)) throw new Error('every answer is a JSON object')
    return { status: answer.status, headers: answer.headers, body: value }
  }
  const create = (body: object | string, idempotencyKey?: string) =>
    call('POST', TASKS_PATH, {
      body,
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    })
  return {
    call,
    create,
    get: (id: string) => call('GET', `${TASKS_PATH}/${id}`),
    delete: (id: string) => call('DELETE', `${TASKS_PATH}/${id}`),
    list: () => call('GET', TASKS_PATH),
    /** Creates a task, which the gateway must accept, and returns its id. */
    async make(body: object): Promise<string> {
      const answer = await create(body)
      expect(answer).toMatchObject({ status: 200 })
      return String(answer.body.id)
    },
  }
}

export type Client = ReturnType<typeof clientOf>

/** Fails unless the answer is an error of this kind in the envelope of the contract. */
export function expectApiError(
  { status, headers, body }: ApiAnswer,
  expected: { status: number; code?: string; param?: string | null; message?: RegExp },
): void {
  expect({ status, body }).toEqual({
    status: expected.status,
    body: {
      error: {
        message:
          expected.message === undefined ? expect.any(String) : expect.stringMatching(expected.message),
        type: expect.stringMatching(/_error$/),
        param: expected.param === undefined ? expect.toBeOneOf([null, expect.any(String)]) : expected.param,
        code: expected.code ?? expect.any(String),
      },
    },
  })
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}
