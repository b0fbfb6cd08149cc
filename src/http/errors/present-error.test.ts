import { describe, expect, test } from 'vitest'
import { ApiError } from '../../domain/api-error.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { presentError } from './present-error.ts'

const CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS)

describe('an error', () => {
  test('of the video area has all four keys', () => {
    const apiError = new ApiError('invalid_parameter', { param: 'limit', message: 'limit must be small' })
    expect(presentError('video', apiError, 'req_1')).toEqual({
      status: 400,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"error":{"message":"limit must be small","type":"invalid_request_error","param":"limit","code":"invalid_parameter"}}',
    })
    expect(JSON.parse(presentError('video', new ApiError('not_found'), 'req_1').body).error.param).toBeNull()
  })

  test('of the responses area is the same, except for money', () => {
    const broke = new ApiError('insufficient_balance')
    expect(JSON.parse(presentError('responses', broke, 'req_1').body).error.type).toBe('insufficient_quota')
    expect(JSON.parse(presentError('video', broke, 'req_1').body).error.type).toBe('billing_error')
  })

  test('of the admin area is one sentence', () => {
    expect(presentError('admin', new ApiError('invalid_json'), 'req_1').body).toBe(
      '{"error":"body must be valid JSON"}',
    )
  })

  test.each([
    ['invalid_json', 'invalid_request_error'],
    ['invalid_api_key', 'authentication_error'],
    ['insufficient_balance', 'billing_error'],
    ['model_not_found', 'not_found_error'],
    ['method_not_allowed', 'invalid_request_error'],
    ['request_timeout', 'invalid_request_error'],
    ['body_too_large', 'request_too_large'],
    ['rate_limit_exceeded', 'rate_limit_error'],
    ['internal_error', 'api_error'],
    ['upstream_error', 'api_error'],
    ['overloaded', 'api_error'],
  ] as const)('of the messages area calls %s %s and names the request', (code, type) => {
    const apiError = new ApiError(code)
    expect(JSON.parse(presentError('messages', apiError, 'req_1').body)).toEqual({
      type: 'error',
      error: { type, message: apiError.message },
      request_id: 'req_1',
    })
  })

  test('that is repeated has the bytes of the first response, with its own request id', () => {
    for (const area of ['video', 'messages', 'responses', 'admin'] as const) {
      const apiError = new ApiError('rate_limit_exceeded')
      const [first, second] = ['req_1', 'req_22'].map((id) => presentError(area, apiError, id).body)
      expect(second).toBe(first?.replaceAll('req_1', 'req_22'))
      const other = new ApiError('rate_limit_exceeded', { message: 'Too many "requests" at once.' })
      expect(presentError(area, other, 'req_1').body).toBe(
        first?.replace(apiError.message, 'Too many \\"requests\\" at once.'),
      )
      const detailed = new ApiError('rate_limit_exceeded', { param: 'limit', vendorCode: 'slow_down' })
      expect(presentError('video', detailed, 'req_1').body).toContain('"param":"limit"')
    }
  })

  test('has details only in the messages area', () => {
    const apiError = new ApiError('invalid_parameter', { details: { error_code: 'thread_not_found' } })
    expect(JSON.parse(presentError('messages', apiError, 'req_1').body).error).toEqual({
      type: 'invalid_request_error',
      message: apiError.message,
      details: { error_code: 'thread_not_found' },
    })
    for (const area of ['video', 'responses', 'admin'] as const) {
      expect(presentError(area, apiError, 'req_1').body).not.toContain('thread_not_found')
    }
  })

  test('has the code of the vendor only in the responses area', () => {
    const apiError = new ApiError('invalid_parameter', { vendorCode: 'invalid_encrypted_content' })
    expect(JSON.parse(presentError('responses', apiError, 'req_1').body).error).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_encrypted_content',
    })
    for (const area of ['video', 'messages', 'admin'] as const) {
      expect(presentError(area, apiError, 'req_1').body).not.toContain('invalid_encrypted_content')
    }
  })

  test.each(CODES)('%s has a retry time if a retry helps', (code) => {
    const { status, headers } = presentError('video', new ApiError(code), 'req_1')
    expect('retry-after' in headers).toBe([429, 503, 529].includes(status))
  })

  test('never shows its cause', () => {
    const apiError = new ApiError('internal_error', { cause: new Error('secret') })
    for (const area of ['video', 'messages', 'responses', 'admin'] as const) {
      expect(JSON.stringify(presentError(area, apiError, 'req_1'))).not.toContain('secret')
    }
  })
})
