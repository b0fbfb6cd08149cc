import { expect, it } from 'vitest'
import { readVendorError } from './map-failure.ts'

const CODES: [string, number, string][] = [
  ['InputTextSensitiveContentDetected', 400, 'content-policy'],
  ['InputImageSensitiveContentDetected.PrivacyInformation', 400, 'content-policy'],
  ['SensitiveContentDetected.SevereViolation', 400, 'content-policy'],
  ['InputTextRiskDetection', 400, 'content-policy'],
  ['ContentRestricted', 403, 'content-policy'],
  ['InvalidParameter', 400, 'invalid-parameter'],
  ['InvalidParameter.UnsupportedImageFormat', 400, 'invalid-parameter'],
  ['MissingParameter', 400, 'invalid-parameter'],
  ['InvalidImageURL.EmptyURL', 400, 'invalid-parameter'],
  ['RateLimitExceeded.EndpointRPMExceeded', 429, 'busy'],
  ['QuotaExceeded', 429, 'busy'],
  ['ServerOverloaded', 429, 'busy'],
  ['SomethingNew', 429, 'busy'],
  ['SetLimitExceeded', 429, 'unavailable'],
  ['AccountOverdueError', 403, 'unavailable'],
  ['OperationDenied.ServiceOverdue', 400, 'unavailable'],
  ['AuthenticationError', 401, 'unavailable'],
  ['AccessDenied', 403, 'unavailable'],
  ['ModelNotOpen', 404, 'unavailable'],
  ['InvalidEndpointOrModel.NotFound', 404, 'unavailable'],
  ['InternalServiceError', 500, 'unavailable'],
  ['SomethingNew', 400, 'unavailable'],
]

it.each(CODES)('%s with %i is %s', (code, status, kind) => {
  expect(read(status, { error: { code, message: 'no' } })).toMatchObject({ kind, code, message: 'no' })
})

it.each([
  [400, 'unavailable'],
  [401, 'unavailable'],
  [302, 'unavailable'],
  [429, 'busy'],
  [503, 'unavailable'],
])('%i without a readable body is %s', (status, kind) => {
  for (const json of [undefined, null, [], 'no', { error: null }, { error: { code: 7.5 } }]) {
    expect(read(status, json)).toEqual({ kind, message: undefined, param: undefined, code: undefined })
  }
})

it.each([
  ['duration', 'duration'],
  ['content[0].image_url', 'content[0].image_url'],
  ['', undefined],
  [null, undefined],
  ['not a <name>', undefined],
])('the parameter %j is reported as %j', (param, reported) => {
  expect(read(400, { error: { code: 'InvalidParameter', message: 'no', param } }).param).toBe(reported)
})

it.each(['model', 'callback_url'])("a wrong %s is not the client's fault", (param) => {
  expect(read(400, { error: { code: 'InvalidParameter', message: 'no', param } }).kind).toBe('unavailable')
})

function read(status: number, json: unknown) {
  return readVendorError({ status, json }, { secrets: [] })
}
