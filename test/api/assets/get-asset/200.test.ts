import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { START_MS, startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf } from '../call-assets.ts'

const DONE_SECONDS = 36
const HOUR_MS = 3_600_000
const UNKNOWN_TO_VENDOR = 'asset.unknown_to_vendor'
const ISO = expect.stringMatching(/^2030-01-0\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('GET /v1/video/assets/{asset_id}', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi({ assetPatienceMs: 3_000 })
    client = assetClientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test('follows an asset to its end', async () => {
    api.time.nowMs = START_MS
    const id = await client.make({ url: 'https://media.example/cat.png', name: 'Cat' })
    const head = { id, object: 'video.asset', name: 'Cat', asset_type: 'Image' }
    const created = '2030-01-02T12:00:00.000Z'
    const { body: young } = await client.getAsset(id)
    expect(young).toEqual({ ...head, status: 'processing', created_at: created, updated_at: created })
    api.passSeconds(DONE_SECONDS)
    const { status, headers, body: done } = await client.getAsset(id)
    expect(headers.get('cache-control')).toBe('no-store')
    expect({ status, done }).toEqual({
      status: 200,
      done: {
        ...head,
        status: 'active',
        url: expect.stringMatching(/^http/),
        created_at: created,
        updated_at: ISO,
      },
    })
    expect(done.updated_at).not.toBe(created)
    expect((await fetch(String(done.url))).headers.get('content-type')).toBe('image/png')
  })

  test.each([
    ['moderated-instant.png', 'moderation_rejected'],
    ['sensitive-instant.png', 'moderation_rejected'],
    ['missing-instant.png', 'download_failed'],
    ['wrongtype-instant.png', 'unsupported_format'],
    ['badformat-instant.png', 'unsupported_format'],
    ['toolarge-instant.png', 'spec_violation'],
    ['untranscodable-instant.png', 'transcoding_failed'],
    ['unlucky-instant.png', 'processing_failed'],
  ])('shows why it failed: %s', async (file, code) => {
    const id = await client.make({ url: `https://media.example/${file}` })
    const { body } = await client.getAsset(id)
    expect(body).toEqual({
      id,
      object: 'video.asset',
      asset_type: 'Image',
      status: 'failed',
      error: { code, message: expect.stringMatching(/./) },
      created_at: ISO,
      updated_at: ISO,
    })
    const asked = (await api.vendors.requests()).length
    expect((await client.getAsset(id)).body).toEqual(body)
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  test.each(['noface', 'twofaces', 'otherface'])('a portrait with %s fails', async (word) => {
    const group_id = await client.verify()
    const id = await client.make({ url: `https://media.example/${word}-instant.png`, group_id })
    expect(await client.getAsset(id)).toMatchObject({
      body: { status: 'failed', group_id, error: { code: 'face_mismatch' } },
    })
  })

  test('a link that is older than six hours is renewed, and nothing else of the asset changes', async () => {
    const id = await client.makeActive()
    const { body: first } = await client.getAsset(id)
    api.time.nowMs += 6 * HOUR_MS - 1
    expect((await client.getAsset(id)).body).toEqual(first)
    api.time.nowMs += 1
    const { body: second } = await client.getAsset(id)
    expect(second).toEqual({ ...first, url: expect.stringMatching(/^http/) })
    expect(second.url).not.toBe(first.url)
    expect((await client.getAsset(id)).body).toEqual(second)
  })

  describe('an asset that the vendor does not know', () => {
    const error = { Code: 'NotFound.asset_id', Message: 'gone' }
    const forget = () =>
      api.vendors.breakDown({
        part: 'vendor-a-assets',
        operation: 'get-asset',
        fault: { kind: 'status', status: 404, body: { ResponseMetadata: { RequestId: '1', Error: error } } },
      })
    const warnings = () => api.lines.filter(({ event }) => event === UNKNOWN_TO_VENDOR)

    test('stays active, and shows its link until the link is 11 hours old', async () => {
      const id = await client.makeActive()
      const { body: first } = await client.getAsset(id)
      const { url, ...bare } = first
      expect(url).toMatch(/^http/)
      const warned = warnings().length
      await forget()
      api.time.nowMs += 11 * HOUR_MS - 1
      const { status, body } = await client.getAsset(id)
      expect({ status, body }).toEqual({ status: 200, body: first })
      api.time.nowMs += 1
      expect((await client.getAsset(id)).body).toEqual(bare)
      const { organizationId } = api.tenant
      const fields = { organizationId, provider: 'vendorA' }
      const warning = { level: 'warn', event: UNKNOWN_TO_VENDOR, fields }
      expect(warnings().slice(warned)).toEqual([warning, warning])
      await api.vendors.clearFaults()
      const { body: again } = await client.getAsset(id)
      expect(again).toEqual({ ...first, url: expect.stringMatching(/^http/) })
      expect(again.url).not.toBe(url)
    })

    test('is logged once per poll, for any number of waiting clients', async () => {
      const id = await client.makeActive()
      api.time.nowMs += 6 * HOUR_MS
      await forget()
      const warned = warnings().length
      const asked = (await api.vendors.requests()).length
      await Promise.all(Array.from({ length: 20 }, () => client.getAsset(id)))
      const questions = (await api.vendors.requests()).length - asked
      expect(questions).toBeGreaterThan(0)
      expect(warnings()).toHaveLength(warned + questions)
    })

    test('stays in processing', async () => {
      const id = await client.make({ url: 'https://media.example/cat.png' })
      const warned = warnings().length
      await forget()
      expect(await client.getAsset(id)).toMatchObject({ status: 200, body: { status: 'processing' } })
      expect(warnings()).toHaveLength(warned)
    })
  })

  const FAULTS: [string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']][] = [
    ['is broken', { kind: 'status', status: 500 }],
    ['is busy', { kind: 'status', status: 429 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
    ['says nothing', { kind: 'hang' }],
  ]

  test.each(FAULTS)('shows the stored state when the vendor %s', async (_name, fault) => {
    const waiting = await client.make({ url: 'https://media.example/cat.png' })
    const active = await client.makeActive()
    const { body } = await client.getAsset(active)
    api.time.nowMs += 7 * HOUR_MS
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-asset', times: 2, fault })
    expect(await client.getAsset(waiting)).toMatchObject({ status: 200, body: { status: 'processing' } })
    expect((await client.getAsset(active)).body).toEqual(body)
  })

  test('simultaneous requests share one poll', async () => {
    const id = await client.make({ url: 'https://media.example/cat.png' })
    const asked = (await api.vendors.requests()).length
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'get-asset',
      times: 1,
      fault: { kind: 'hang' },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.getAsset(id)))
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'processing' } })
    expect((await api.vendors.requests()).length).toBe(asked + 1)
  })
})
