import { describe, expect, it } from 'vitest'
import {
  CALLBACK_URL,
  exchange,
  openAssetVendor,
  openSession,
  personGroup,
  refusal,
  scan,
} from '../../asset-client.ts'

const MINUTES_30_MS = 30 * 60_000
const GONE = { status: 404, body: refusal('NotFound.VerifyToken') }

describe('CreateVisualValidateSession', () => {
  it('200: a token, a link and the callback', async () => {
    const vendor = await openAssetVendor()
    const answer = await vendor.call('CreateVisualValidateSession', {
      CallbackURL: CALLBACK_URL,
      ProjectName: 'default',
    })
    expect(answer).toMatchObject({ status: 200 })
    const result = Object(answer.body).Result
    expect(result).toEqual({
      VerifyToken: expect.stringMatching(/^verify-[\w-]+$/),
      H5Link: `${vendor.url}/verify?token=${result.VerifyToken}&lng=zh`,
      CallbackURL: CALLBACK_URL,
    })
  })

  it('200: two sessions of one moment have two tokens', async () => {
    const vendor = await openAssetVendor()
    const [one, other] = [await openSession(vendor), await openSession(vendor)]
    expect(one.token).not.toBe(other.token)
  })

  it.each<[string, object]>([
    ['CallbackURL', {}],
    ['CallbackURL', { CallbackURL: 'return' }],
    ['CallbackURL', { CallbackURL: 'javascript:alert(1)' }],
    ['Language', { CallbackURL: CALLBACK_URL, Language: 'en' }],
  ])('400 InvalidParameter.%s: %j', async (name, body) => {
    const { call } = await openAssetVendor()
    expect(await call('CreateVisualValidateSession', body)).toMatchObject({
      status: 400,
      body: refusal(`InvalidParameter.${name}`),
    })
  })
})

describe('GetVisualValidateResult', () => {
  it('200: the group of the person, once', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, 'success')
    expect(await exchange(vendor, session)).toMatchObject({
      status: 200,
      body: { Result: { GroupId: expect.stringMatching(/^group-/) } },
    })
    expect(await exchange(vendor, session)).toMatchObject(GONE)
  })

  it('200: a person has one group, also after a restart, and every person another', async () => {
    const vendor = await openAssetVendor()
    const groups = [await personGroup(vendor, 1), await personGroup(vendor, 2), await personGroup(vendor, 3)]
    expect(new Set(groups).size).toBe(3)
    expect(await personGroup(await vendor.reopen(), 2)).toBe(groups[1])
  })

  it('200: a recording has a group too, which the caller must not use', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, 'pre-recorded')
    expect((await exchange(vendor, session)).status).toBe(200)
  })

  it.each(['mismatch', 'cancelled', 'expired'])('404: a check that ended %s', async (ending) => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, ending)
    expect(await exchange(vendor, session)).toMatchObject(GONE)
  })

  it('404: before the scan, which can still follow', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    expect(await exchange(vendor, session)).toMatchObject(GONE)
    await scan(session, 'success')
    expect((await exchange(vendor, session)).status).toBe(200)
  })

  it('404: half an hour after the start', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, 'success')
    vendor.vendors.passRealMs(MINUTES_30_MS)
    expect(await exchange(vendor, session)).toMatchObject(GONE)
  })

  it('404: another project, an unknown token', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, 'success')
    expect(await exchange(vendor, session, { ProjectName: 'other' })).toMatchObject(GONE)
    expect(await exchange(vendor, session, { VerifyToken: `${session.token}x` })).toMatchObject(GONE)
    expect((await exchange(vendor, session)).status).toBe(200)
  })

  it('400: no token', async () => {
    const { call } = await openAssetVendor()
    expect(await call('GetVisualValidateResult', {})).toMatchObject({
      status: 400,
      body: refusal('InvalidParameter.VerifyToken'),
    })
  })
})
