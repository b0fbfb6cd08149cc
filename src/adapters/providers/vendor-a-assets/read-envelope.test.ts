import { describe, expect, it } from 'vitest'
import { readEnvelope } from './call-action.ts'

const METADATA = { RequestId: '0217ab', Action: 'GetAsset', Version: '2024-01-01', Service: 's', Region: 'r' }

describe('an envelope', () => {
  it.each([
    ['enveloped', { ResponseMetadata: METADATA, Result: { Id: 'a' } }, { Id: 'a' }],
    ['without metadata', { Result: { Id: 'a' } }, { Id: 'a' }],
    ['bare', { Id: 'a', Extra: 1 }, { Id: 'a', Extra: 1 }],
    ['with an error of null', { ResponseMetadata: { Error: null }, Result: { Id: 'a' } }, { Id: 'a' }],
    ['with an empty error', { ResponseMetadata: { Error: {} }, Result: { Id: 'a' } }, { Id: 'a' }],
    ['without a result', { ResponseMetadata: METADATA }, {}],
    ['with a result that is not an object', { ResponseMetadata: METADATA, Result: [] }, {}],
    [
      'bare, of a failed asset',
      { Status: 'Failed', Error: { Code: 'X' } },
      { Status: 'Failed', Error: { Code: 'X' } },
    ],
  ])('%s has its result', (_name, json, result) => {
    expect(read(200, json)).toEqual({ kind: 'result', status: 200, result })
  })

  const error = { Code: 'NotFound.asset_id', Message: 'no' }

  it.each([200, 400, 404, 500])('with an error and HTTP %i is an error', (status) => {
    const expected = { kind: 'error', status, code: 'NotFound.asset_id', message: 'no' }
    expect(read(status, { ResponseMetadata: { ...METADATA, Error: error } })).toMatchObject(expected)
    const both = { ResponseMetadata: { ...METADATA, Error: error }, Result: { Id: 'a' } }
    expect(read(status, both)).toMatchObject(expected)
    expect(read(status, { Error: error })).toMatchObject(expected)
  })

  it.each([undefined, null, 'text', 7, [], [{ Id: 'a' }]])('that is %j is an error', (json) => {
    expect(read(200, json)).toMatchObject({ kind: 'error', code: undefined, message: undefined })
  })

  it.each([301, 403, 500, 503])('of a result with HTTP %i is an error', (status) => {
    expect(read(status, { Result: { Id: 'a' } })).toMatchObject({ kind: 'error', code: undefined })
  })

  it('reads the time of the next attempt', () => {
    expect(read(503, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 })
  })
})

function read(status: number, json: unknown, headers: Record<string, string> = {}) {
  return readEnvelope({ kind: 'answer', status, headers, json })
}
