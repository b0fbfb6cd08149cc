import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import { describe, expect, test } from 'vitest'
import { errorOfAnswer, errorOfReply, errorOfSilence } from './text-vendor-error.ts'

describe('an answer of', () => {
  test.each([
    [400, 'invalid_parameter', false],
    [422, 'invalid_parameter', false],
    [413, 'body_too_large', false],
    [401, 'provider_unavailable', true],
    [403, 'provider_unavailable', true],
    [404, 'provider_unavailable', true],
    [429, 'upstream_busy', true],
    [500, 'provider_unavailable', true],
    [529, 'upstream_overloaded', true],
  ] as const)('%i is %s', (status, code, isVendorFault) => {
    const body = Buffer.from('{"type":"error","error":{"type":"x","message":"words of the vendor"}}')
    const refused = errorOfAnswer({ status, retryAfterMs: 6_001 }, body, { hides: [] })
    expect(refused).toMatchObject({ apiError: { code }, isVendorFault })
    // Only a fault in the request is reported in the vendor's own words.
    expect(refused.apiError.message.includes('words of the vendor')).toBe(!isVendorFault)
    if (isVendorFault) expect(refused.apiError.retryAfterSeconds).toBe(7)
  })
})

test.each([400, 413, 422])('an answer of %i about the length of the prompt is reported as such', (status) => {
  const body = Buffer.from('{"error":{"code":"context_length_exceeded","message":"Too much."}}')
  const { apiError, isVendorFault } = errorOfAnswer({ status, retryAfterMs: undefined }, body, {
    hides: [],
  })
  expect(apiError).toMatchObject({ code: 'context_length_exceeded', status: 400 })
  expect(apiError.message).toBe('prompt is too long: Too much.')
  expect(isVendorFault).toBe(false)
})

test('a request that refers to an unknown item is not a failure of the vendor', () => {
  const body = Buffer.from(
    JSON.stringify({ error: { message: "Item with id 'rs_1' not found at vendor.example." } }),
  )
  const answer = { status: 404, retryAfterMs: undefined }
  expect(
    errorOfAnswer(answer, body, { hides: ['vendor.example'], mayNameMissing: () => true }),
  ).toMatchObject({
    apiError: {
      code: 'invalid_parameter',
      message: expect.stringContaining("Item with id 'rs_1' not found"),
    },
    isVendorFault: false,
  })
  const { apiError } = errorOfAnswer(answer, body, {
    hides: ['vendor.example'],
    mayNameMissing: () => true,
  })
  expect(apiError.message).not.toContain('vendor.example')
  expect(errorOfAnswer(answer, body, { hides: [] })).toMatchObject({ isVendorFault: true })
})

test.each<[what: string, error: object]>([
  ['by its code', { message: 'Nothing here.', type: 'invalid_request_error', code: 'model_not_found' }],
  ['by its name', { message: 'model: up-1', type: 'not_found_error' }],
  ['in words', { message: 'The model `up-1` does not exist.', code: 404 }],
  ['as a deployment', { message: 'The API deployment for this resource does not exist.' }],
  ['as an endpoint', { message: 'No endpoints found for up-1.', code: 404 }],
])(
  'a missing model is a vendor fault when the vendor reports it %s, whatever the request contains',
  (_, error) => {
    const body = Buffer.from(JSON.stringify({ error }))
    const answer = { status: 404, retryAfterMs: undefined }
    expect(errorOfAnswer(answer, body, { hides: [], mayNameMissing: () => true })).toMatchObject({
      apiError: { code: 'provider_unavailable' },
      isVendorFault: true,
    })
  },
)

describe('fields of a vendor error for programs', () => {
  const error = {
    message: 'No such item.',
    type: 'invalid_request_error',
    code: 'invalid_encrypted_content',
    param: 'input[1]',
    details: { error_code: 'thread_not_found' },
  }
  const apiErrorFor = (status: number, native: 'messages' | 'responses' | undefined, more: object = {}) => {
    const body = Buffer.from(JSON.stringify({ error: { ...error, ...more } }))
    const context = { hides: [], native, mayNameMissing: () => true }
    return errorOfAnswer({ status, retryAfterMs: undefined }, body, context).apiError
  }
  const OURS = { code: 'invalid_parameter', param: null, vendorCode: undefined, details: undefined }

  test.each([400, 404, 422])('pass with their %i if client and vendor have the same dialect', (status) => {
    expect(apiErrorFor(status, 'messages')).toMatchObject({ ...OURS, details: error.details })
    const { code: vendorCode, param } = error
    expect(apiErrorFor(status, 'responses')).toMatchObject({ ...OURS, vendorCode, param })
  })

  test('are dropped by a conversion, because they would name fields that the client never sent', () => {
    expect(apiErrorFor(400, undefined)).toMatchObject(OURS)
  })

  test.each([413, 429, 500, 529])('are dropped with their %i', (status) => {
    const dropped = { param: null, vendorCode: undefined, details: undefined }
    expect(apiErrorFor(status, 'messages')).toMatchObject(dropped)
    expect(apiErrorFor(status, 'responses')).toMatchObject(dropped)
  })

  test('also pass with the error of a conversation that is too long', () => {
    const more = { message: 'prompt is too long', code: 'context_length_exceeded', param: 'input' }
    const code = 'context_length_exceeded'
    expect(apiErrorFor(400, 'messages', more)).toMatchObject({ code, details: error.details })
    expect(apiErrorFor(400, 'responses', more)).toMatchObject({ code, vendorCode: code, param: 'input' })
    expect(apiErrorFor(400, undefined, more)).toMatchObject({ ...OURS, code })
  })
})

test('a silent vendor is at fault, and the error has a retry time', () => {
  const failure = { kind: 'breaker-open', taken: 'no', retryAfterMs: 4_200 } as const
  expect(errorOfSilence(failure)).toMatchObject({
    apiError: { code: 'provider_unavailable', retryAfterSeconds: 5 },
    isVendorFault: true,
  })
})

test.each<[StreamError['kind'], string, boolean]>([
  ['broken', 'provider_unavailable', true],
  ['vendor', 'provider_unavailable', true],
  ['too-late', 'provider_unavailable', true],
  ['busy', 'upstream_overloaded', true],
  ['refused', 'invalid_parameter', false],
  ['too-long', 'context_length_exceeded', false],
  // A process that stops asks no other model.
  ['draining', 'overloaded', false],
])('a reply that failed as %s is %s', (kind, code, isVendorFault) => {
  expect(errorOfReply({ kind, message: 'why' })).toMatchObject({ apiError: { code }, isVendorFault })
})
