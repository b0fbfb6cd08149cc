import { expect } from 'vitest'
import type { Area } from '../../../src/http/edge-request.ts'

/** An answer as a client sees it, over any connection. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export async function readAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** Fails unless the answer is an error in the envelope of its area, with everything an error must have. */
export function expectError(answer: Answer, area: Area, status: number, code?: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status })
  expectEnvelope(answer, area)
  if (code !== undefined && (area === 'video' || area === 'responses')) {
    expect(JSON.parse(answer.body).error.code).toBe(code)
  }
}

export function expectEnvelope({ status, headers, body }: Answer, area: Area): void {
  expect(headers['x-request-id']).toMatch(/^req_\w+$/)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/)
  if (status === 405) expect(headers.allow).toMatch(/^[A-Z, ]+$/)
  const value: unknown = JSON.parse(body)
  expect(value).toEqual(SHAPES[area](headers['x-request-id'] ?? ''))
}

const SHAPES: Record<Area, (requestId: string) => unknown> = {
  video: openEnvelope,
  responses: openEnvelope,
  chat: openEnvelope,
  messages: (requestId) => ({
    type: 'error',
    error: { type: expect.any(String), message: expect.any(String) },
    request_id: requestId,
  }),
  admin: () => ({ error: expect.any(String) }),
}

function openEnvelope(): unknown {
  return {
    error: {
      message: expect.any(String),
      type: expect.any(String),
      param: expect.toBeOneOf([null, expect.any(String)]),
      code: expect.any(String),
    },
  }
}
