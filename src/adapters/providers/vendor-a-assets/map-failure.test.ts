import { describe, expect, it } from 'vitest'
import { cleanText, isBusy, isNotFound, readVendorError } from './map-failure.ts'

describe('the error of a refused asset', () => {
  it.each([
    [400, 'InputImageSensitiveContentDetected', { kind: 'content-policy' }],
    [400, 'InputVideoSensitiveContentDetected.PrivacyInformation', { kind: 'content-policy' }],
    [400, 'ContentRestricted', { kind: 'content-policy' }],
    [400, 'InputTextRiskDetection', { kind: 'content-policy' }],
    [400, 'InvalidParameter', { kind: 'invalid-parameter', param: undefined }],
    [400, 'InvalidParameter.URL', { kind: 'invalid-parameter', param: 'url' }],
    [400, 'InvalidParameter.AssetType', { kind: 'invalid-parameter', param: 'asset_type' }],
    [400, 'InvalidParameter.asset_type', { kind: 'invalid-parameter', param: 'asset_type' }],
    [400, 'MissingParameter.Name', { kind: 'invalid-parameter', param: 'name' }],
    [400, 'InvalidParameter.constructor', { kind: 'invalid-parameter', param: undefined }],
    [200, 'InvalidParameter.URL', { kind: 'invalid-parameter', param: 'url' }],
    [429, 'SomethingNew', { kind: 'busy' }],
    [400, 'AccountRateLimitExceeded', { kind: 'busy' }],
    [400, 'FlowLimitExceeded', { kind: 'busy' }],
  ])('%i %s is shown to the client', (status, code, vendorError) => {
    expect(readVendorError({ status, code, message: 'no' }, [])).toMatchObject(vendorError)
  })

  it.each([
    [400, 'InvalidParameter.ProjectName'],
    [400, 'InvalidParameter.GroupId'],
    [400, 'InvalidParameter.group_id'],
    [401, 'SignatureDoesNotMatch'],
    [403, 'AccessDenied'],
    [429, 'AccountOverdueError'],
    [429, 'SetLimitExceeded'],
    [400, 'SomethingNew'],
    [404, 'NotFound.asset_id'],
    [500, 'InternalError'],
    [502, undefined],
    [200, undefined],
  ])('%i %s is not shown to the client', (status, code) => {
    expect(readVendorError({ status, code, message: 'no' }, [])).toBeUndefined()
  })
})

it.each([
  ['NotFound.group_id', 'group', true],
  ['NotFound.GroupId', 'group', true],
  ['notfound.group_id', 'group', true],
  ['NotFound.asset_id', 'asset', true],
  ['NotFound.asset_id', 'group', false],
  ['NotFound.group_id', 'asset', false],
  ['NotFound', 'asset', false],
  ['NotFound.group_ids', 'group', false],
  ['InvalidParameter.NotFound.group_id', 'group', false],
  [undefined, 'group', false],
] as const)('%s means that the %s is gone: %s', (code, what, isGone) => {
  expect(isNotFound(code, what)).toBe(isGone)
})

it('an unpaid bill does not make the vendor busy', () => {
  expect(isBusy({ status: 429, code: 'AccountOverdueError' })).toBe(false)
  expect(isBusy({ status: 429, code: undefined })).toBe(true)
  expect(isBusy({ status: 500, code: undefined })).toBe(false)
})

it('removes links, secrets and request ids from a text', () => {
  const text =
    'Cannot read https://cdn.example/a.png?sign=canary, asset://up-1 of ak-canary. Request id: 0217ab'
  expect(cleanText(text, ['ak-canary'])).toBe('Cannot read … … of ….')
  expect(cleanText(undefined, [])).toBeUndefined()
})
