import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AssetPageQuestion } from '../../../src/ports/asset-driver.ts'
import { ACCOUNT, type AssetStandIn, PATH, startAssetStandIn } from '../assets/asset-stand-in.ts'

const ASSET = {
  organizationId: 'org_1',
  groupTicket: 'group-1',
  url: 'https://m.example/a.png?s=1',
  type: 'Image',
  name: undefined,
} as const
const QUESTION: AssetPageQuestion = {
  organizationId: 'org_1',
  groupTickets: ['group-1'],
  groupKind: 'default',
  statuses: undefined,
  name: undefined,
  page: 1,
  limit: 100,
  sortBy: 'create_time',
  sortOrder: 'desc',
}
const VERIFICATION = {
  organizationId: 'org_1',
  returnUrl: 'https://us.example/back/canary-state',
  language: 'en',
} as const
const SESSION = { VerifyToken: 'canary-token', H5Link: 'https://h5.example/?ak=a%20b', CallbackURL: 'x' }

describe('the driver of the asset service', () => {
  let vendor: AssetStandIn

  beforeEach(async () => {
    vendor = await startAssetStandIn()
  })
  afterEach(async () => {
    await vendor.scenario.close()
    expect(vendor.faults).toEqual([])
  })

  const answerResult = (result: unknown) =>
    vendor.answer(200, { ResponseMetadata: { RequestId: '0217ab' }, Result: result })
  const answerError = (status: number, code: string, message = 'no', headers = {}) =>
    vendor.answer(status, { ResponseMetadata: { Error: { Code: code, Message: message } } }, headers)
  const calls = () => vendor.scenario.requests.map((line) => line.replace(`POST ${PATH}`, ''))
  const called = (action: string) => [`${action}&Version=2024-01-01`]

  it('makes a group', async () => {
    answerResult({ Id: 'group-1' })
    expect(await vendor.open().createGroup({ organizationId: 'org_1', name: 'of org-1' })).toEqual({
      kind: 'made',
      groupTicket: 'group-1',
    })
    expect(calls()).toEqual(called('CreateAssetGroup'))
    expect(vendor.bodies).toEqual([{ Name: 'of org-1', GroupType: 'AIGC', ProjectName: 'project-1' }])
  })

  it('makes an asset, with and without a name', async () => {
    answerResult({ Id: 'asset-1' })
    expect(await vendor.open().createAsset(ASSET)).toEqual({ kind: 'accepted', ticket: 'asset-1' })
    await vendor.open().createAsset({ ...ASSET, name: '肖像 ✨', type: 'Audio' })
    expect(calls()).toEqual([...called('CreateAsset'), ...called('CreateAsset')])
    const body = { GroupId: 'group-1', URL: ASSET.url, AssetType: 'Image', ProjectName: 'project-1' }
    expect(vendor.bodies).toEqual([body, { ...body, AssetType: 'Audio', Name: '肖像 ✨' }])
  })

  it.each([{}, { Id: null }, { Id: '' }, { Id: '..' }, { Id: {} }, [], 'text'])(
    'does not know what became of an asset or a group when the result is %j',
    async (result) => {
      answerResult(result)
      expect(await vendor.open().createAsset(ASSET)).toMatchObject({ kind: 'failed' })
      expect(await vendor.open().createGroup({ organizationId: 'org_1', name: 'n' })).toMatchObject({
        kind: 'failed',
      })
      expect(calls()).toHaveLength(2)
    },
  )

  it.each([200, 400, 404])('sees with HTTP %i that a group is gone', async (status) => {
    answerError(status, 'NotFound.group_id')
    expect(await vendor.open().createAsset(ASSET)).toEqual({ kind: 'group-gone' })
  })

  it.each([
    [
      400,
      'InputImageSensitiveContentDetected',
      { status: 400, code: 'content_policy_violation', param: null },
    ],
    [
      400,
      'InvalidParameter.URL',
      { status: 400, code: 'invalid_parameter', param: 'url', message: 'bad … of …' },
    ],
    [200, 'InvalidParameter.Name', { status: 400, code: 'invalid_parameter', param: 'name' }],
    [429, 'QuotaExceeded', { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 }],
  ])('is refused with %i %s', async (status, code, apiError) => {
    answerError(status, code, `bad ${ASSET.url} of group-1 Request id: 02`, { 'retry-after': '7' })
    const made = await vendor.open().createAsset(ASSET)
    expect(made).toMatchObject({ kind: 'refused', apiError: { ...apiError, cause: { status, code } } })
  })

  it.each([
    [401, 'SignatureDoesNotMatch'],
    [403, 'AccessDenied'],
    [400, 'InvalidParameter.ProjectName'],
    [404, 'NotFound.asset_id'],
    [429, 'AccountOverdueError'],
    [500, 'InternalError'],
  ])('fails with %i %s, which is not for a client', async (status, code) => {
    answerError(status, code, 'Account 4711', { 'retry-after': '7' })
    const failure = {
      kind: 'failed',
      cause: { name: 'VendorAnswerError', status, code },
      retryAfterMs: 7_000,
    }
    expect(await vendor.open().createAsset(ASSET)).toMatchObject(failure)
    expect(await vendor.open().createGroup({ organizationId: 'org_1', name: 'n' })).toMatchObject(failure)
    expect(await vendor.open().startVerification(VERIFICATION)).toMatchObject(failure)
  })

  it('refuses when the vendor is busy, whatever was to be made', async () => {
    answerError(429, 'RateLimitExceeded', 'no', { 'retry-after': '7' })
    const busy = { kind: 'refused', apiError: { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 } }
    expect(await vendor.open().createGroup({ organizationId: 'org_1', name: 'n' })).toMatchObject(busy)
    expect(await vendor.open().startVerification(VERIFICATION)).toMatchObject(busy)
  })

  it('reads an asset', async () => {
    answerResult({ Id: 'asset-1', Status: 'Active', URL: 'https://cdn.example/a.png?sign=1' })
    expect(await vendor.open().getAsset('asset-1', 'org_1')).toEqual({
      kind: 'snapshot',
      snapshot: { status: 'active', url: 'https://cdn.example/a.png?sign=1', error: undefined },
    })
    expect(calls()).toEqual(called('GetAsset'))
    expect(vendor.bodies).toEqual([{ Id: 'asset-1', ProjectName: 'project-1' }])
  })

  it('reads a bare failed asset', async () => {
    vendor.answer(200, { Id: 'asset-1', Status: 'Failed', Error: { Code: 'FaceMismatch', Message: 'no' } })
    expect(await vendor.open().getAsset('asset-1', 'org_1')).toMatchObject({
      snapshot: { status: 'failed', error: { code: 'face_mismatch', message: 'no' } },
    })
  })

  it.each([
    [404, 'NotFound.asset_id', 'gone'],
    [200, 'NotFound.asset_id', 'gone'],
    [404, 'NotFound.group_id', 'unanswered'],
    [404, 'NotFound.action', 'unanswered'],
    [500, 'InternalError', 'unanswered'],
  ])('an asset read with %i %s is %s', async (status, code, kind) => {
    answerError(status, code)
    expect(await vendor.open().getAsset('asset-1', 'org_1')).toMatchObject({ kind })
  })

  it.each([
    [404, '<html>not here</html>'],
    [200, { Result: { Id: 'asset-2', Status: 'Failed' } }],
    [200, { Result: { Id: 'asset-1' } }],
    [503, { Result: { Id: 'asset-1', Status: 'Failed' } }],
  ])('%i %j says nothing about an asset', async (status, body) => {
    vendor.answer(status, body)
    expect(await vendor.open().getAsset('asset-1', 'org_1')).toMatchObject({ kind: 'unanswered' })
  })

  it('does not ask the vendor about an invalid ticket', async () => {
    for (const ticket of ['', '..', 'a b']) {
      expect(await vendor.open().getAsset(ticket, 'org_1')).toMatchObject({ kind: 'unanswered' })
    }
    expect(calls()).toEqual([])
  })

  it('lists a page of a group', async () => {
    const one = { Id: 'asset-1', Status: 'Active', URL: 'https://cdn.example/1' }
    answerResult({
      Items: [one, { Id: 'asset-2', Status: 'Processing' }, {}],
      TotalCount: '57',
      PageNumber: 1,
    })
    const page = await vendor.open().listAssets(QUESTION)
    expect(page).toMatchObject({ kind: 'page', totalCount: 57 })
    const statuses = page.kind === 'page' ? [...page.snapshots].map(([id, { status }]) => [id, status]) : []
    expect(statuses).toEqual([
      ['asset-1', 'active'],
      ['asset-2', 'processing'],
    ])
    expect(vendor.bodies).toEqual([
      {
        Filter: { GroupIds: ['group-1'], GroupType: 'AIGC' },
        PageNumber: 1,
        PageSize: 100,
        SortBy: 'CreateTime',
        SortOrder: 'Desc',
        ProjectName: 'project-1',
      },
    ])
  })

  it("lists in the vendor's words", async () => {
    answerResult({ Items: [] })
    const statuses = ['processing', 'active', 'failed'] as const
    const narrow = { ...QUESTION, groupKind: 'person', statuses, name: 'a', sortOrder: 'asc' } as const
    await vendor.open().listAssets({ ...narrow, sortBy: 'update_time' })
    await vendor.open().listAssets({ ...narrow, sortBy: 'group_id' })
    const Statuses = ['Processing', 'Active', 'Failed']
    const Filter = { GroupIds: ['group-1'], GroupType: 'LivenessFace', Statuses, Name: 'a' }
    expect(vendor.bodies).toMatchObject([
      { Filter, SortBy: 'UpdateTime', SortOrder: 'Asc' },
      { Filter, SortBy: 'GroupId', SortOrder: 'Asc' },
    ])
  })

  it.each([{}, { Items: null }, { Items: {} }])('%j is no page', async (result) => {
    answerResult(result)
    expect(await vendor.open().listAssets(QUESTION)).toMatchObject({ kind: 'unanswered' })
  })

  it('starts a verification', async () => {
    answerResult(SESSION)
    expect(await vendor.open().startVerification(VERIFICATION)).toEqual({
      kind: 'started',
      token: 'canary-token',
      link: 'https://h5.example/?ak=a%20b&lng=en',
    })
    expect(calls()).toEqual(called('CreateVisualValidateSession'))
    expect(vendor.bodies).toEqual([{ CallbackURL: VERIFICATION.returnUrl, ProjectName: 'project-1' }])
  })

  it.each([{ H5Link: SESSION.H5Link }, { VerifyToken: 't' }, { ...SESSION, H5Link: 'javascript:alert(1)' }])(
    'starts no verification with %j',
    async (result) => {
      answerResult(result)
      expect(await vendor.open().startVerification(VERIFICATION)).toMatchObject({ kind: 'failed' })
    },
  )

  it('exchanges a token, under the configured name', async () => {
    answerResult({ GroupId: 'group-7' })
    const service = vendor.open({ tokenField: 'CheckToken' })
    expect(await service.exchange('canary-token', 'org_1')).toEqual({ kind: 'group', groupTicket: 'group-7' })
    expect(calls()).toEqual(called('GetVisualValidateResult'))
    expect(vendor.bodies).toEqual([{ CheckToken: 'canary-token', ProjectName: 'project-1' }])
    answerResult({ ...SESSION, VerifyToken: undefined, CheckToken: 'other' })
    expect(await service.startVerification(VERIFICATION)).toMatchObject({ kind: 'started', token: 'other' })
  })

  it.each([{}, { GroupId: '' }, { GroupId: null }, { GroupId: {} }])('%j is no group', async (result) => {
    answerResult(result)
    expect(await vendor.open().exchange('t', 'org_1')).toEqual({ kind: 'no-group' })
  })

  it.each([
    [404, 'NotFound', 'no-group'],
    [404, 'SomethingNew', 'no-group'],
    [200, 'NotFound.token', 'no-group'],
    [400, 'InvalidParameter.VerifyToken', 'unanswered'],
    [401, 'SignatureDoesNotMatch', 'unanswered'],
    [429, 'AccountOverdue', 'unanswered'],
    [429, 'RateLimitExceeded', 'not-taken'],
    [200, 'FlowLimitExceeded', 'not-taken'],
    [500, 'InternalError', 'not-taken'],
    [503, 'ServerOverloaded', 'not-taken'],
  ])('an exchange answered with %i %s is %s', async (status, code, kind) => {
    answerError(status, code)
    expect(await vendor.open().exchange('t', 'org_1')).toMatchObject({ kind })
  })

  it('signs with the current keys', async () => {
    answerResult({ Id: 'group-1' })
    let secretKey = ACCOUNT.secretKey
    const service = vendor.open({ secretKey: () => secretKey })
    await service.createGroup({ organizationId: 'org_1', name: 'n' })
    expect(vendor.faults.splice(0)).toEqual([])
    secretKey = 'another-secret'
    await service.createGroup({ organizationId: 'org_1', name: 'n' })
    expect(vendor.faults.splice(0)).toEqual(['the signature does not match'])
  })

  it('reaches an endpoint without a path of its own', async () => {
    answerResult({ Id: 'group-1' })
    const endpoint = `http://127.0.0.1:${vendor.scenario.proxy.port}`
    const service = vendor.open({ endpoint, upstream: vendor.scenario.open({ baseUrl: endpoint }) })
    expect(await service.createGroup({ organizationId: 'org_1', name: 'n' })).toMatchObject({ kind: 'made' })
    expect(vendor.scenario.requests).toEqual(['POST /?Action=CreateAssetGroup&Version=2024-01-01'])
  })
})
