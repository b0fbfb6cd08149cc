import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { expect } from 'vitest'
import type { Tenant } from '../video/tenants.ts'

export interface TextAnswer {
  status: number
  headers: Headers
  text: string
  /** Empty when a stream came. */
  body: JsonObject
}

export const VERSION = { 'compat-version': '2023-06-01' }

/** One model for each dialect of a vendor. */
export const MESSAGES_MODEL = 'vendorD/text-small'
export const CHAT_MODEL = 'vendorC/model-4.1-mini'
export const RESPONSES_MODEL = 'vendorC/model-o4-mini'

export function message(text: unknown = 'hello', more: object = {}): object {
  const messages = [{ role: 'user', content: text }]
  return { model: MESSAGES_MODEL, max_tokens: 256, messages, ...more }
}

export function response(input: unknown = 'hello', more: object = {}): object {
  return { model: RESPONSES_MODEL, input, ...more }
}

export function completion(content: unknown = 'hello', more: object = {}): object {
  return { model: CHAT_MODEL, messages: [{ role: 'user', content }], ...more }
}

/** Client of the text endpoints. An undefined header is left out, a text body is sent unchanged. */
export function textClientOf({ url }: { url: string }, { key }: Pick<Tenant, 'key'>) {
  type Headers = Record<string, string | undefined>
  const post = async (
    path: string,
    body: object | string | Buffer,
    headers: Headers,
  ): Promise<TextAnswer> => {
    const sent = Object.entries({ 'content-type': 'application/json', ...headers })
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: sent.flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const value: unknown = isJson ? JSON.parse(text) : {}
    if (!isJsonObject(value)) throw new Error('every whole answer is a JSON object')
    return { status: answer.status, headers: answer.headers, text, body: value }
  }
  return {
    post,
    messages: (body: object | string | Buffer, headers: Headers = {}) =>
      post('/v1/messages', body, { 'x-api-key': key, ...VERSION, ...headers }),
    count: (body: object | string | Buffer, headers: Headers = {}) =>
      post('/v1/messages/count_tokens', body, { 'x-api-key': key, ...VERSION, ...headers }),
    responses: (body: object | string | Buffer, headers: Headers = {}) =>
      post('/v1/responses', body, { authorization: `Bearer ${key}`, ...headers }),
    compact: (body: object | string | Buffer, headers: Headers = {}) =>
      post('/v1/responses/compact', body, { authorization: `Bearer ${key}`, ...headers }),
    chat: (body: object | string | Buffer, headers: Headers = {}) =>
      post('/v1/chat/completions', body, { authorization: `Bearer ${key}`, ...headers }),
  }
}

export type TextClient = ReturnType<typeof textClientOf>

interface Expected {
  status: number
  /** Expected kind of the error: `type` in the envelope of messages, `code` in that of responses. */
  type?: string
  code?: string
  message?: RegExp
  param?: string
}

/** Fails unless the answer is this error in the envelope of the Messages format. */
export function expectMessagesError(answer: TextAnswer, { status, type, message: said }: Expected): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      type: 'error',
      error: {
        type: type ?? expect.any(String),
        message: said === undefined ? expect.any(String) : expect.stringMatching(said),
      },
      request_id: answer.headers.get('x-request-id'),
    },
  })
  expectManners(answer)
}

/** Expects an error in the envelope of the Responses format, which chat completions have too. */
export function expectResponsesError(answer: TextAnswer, expected: Expected): void {
  const { status, type, code, message: said, param } = expected
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      error: {
        type: type ?? expect.any(String),
        message: said === undefined ? expect.any(String) : expect.stringMatching(said),
        param: param ?? expect.toBeOneOf([null, expect.any(String)]),
        code: code ?? expect.any(String),
      },
    },
  })
  expectManners(answer)
}

function expectManners({ status, headers }: TextAnswer): void {
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  if (status === 429 || status === 503 || status === 529) {
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  }
}
