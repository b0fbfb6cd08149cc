import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { vendorADriver } from '../../../src/adapters/providers/vendor-a/driver.ts'
import { vendorBDriver } from '../../../src/adapters/providers/vendor-b/driver.ts'
import type { FamilyAOrder } from '../../../src/domain/video/families/a/order.ts'
import type { FamilyBWork } from '../../../src/domain/video/families/b/order.ts'
import type { OrderOptions } from '../../../src/domain/video/request.ts'
import type { Submission, VideoDriver } from '../../../src/ports/video-driver.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'
import { openVendors, type Vendors } from './open-vendors.ts'

const EVERY_OPTION: OrderOptions = {
  durationSeconds: 8,
  ratio: '9:16',
  resolution: '1080p',
  seed: 1,
  framesPerSecond: 24,
  generateAudio: true,
  draft: true,
  serviceTier: 'flex',
}
const IMAGE = 'https://example.com/a.png'
const VIDEO = 'https://example.com/a.mp4'

let scenario: UpstreamScenario
let vendors: Vendors

beforeEach(async () => {
  scenario = await startUpstreamScenario()
  vendors = await openVendors()
})
afterEach(() => scenario.close())

function ticketOf(submission: Submission): string {
  expect(submission).toMatchObject({ kind: 'accepted' })
  return submission.kind === 'accepted' ? submission.ticket : ''
}

describe('the driver of vendor A', () => {
  const driver = () =>
    vendorADriver({
      upstream: scenario.open({ baseUrl: `${vendors.url}/vendor-a/api/v3` }),
      apiKey: () => 'any',
      models: new Map([['gen-2.0', 'up-2.0']]),
    })
  const create = (words: string, items: FamilyAOrder['items'] = []) =>
    driver().create({
      organizationId: 'org_1',
      order: {
        family: 'a',
        model: 'gen-2.0',
        items: [
          { kind: 'text', text: `a cat ${words}` },
          { kind: 'image', url: IMAGE, role: undefined },
          ...items,
        ],
        options: EVERY_OPTION,
      },
      expiresAfterSeconds: 600,
      noticeUrl: undefined,
    })

  it('is understood, with everything an order can have', async () => {
    const ticket = ticketOf(
      await create('[instant]', [
        { kind: 'image', url: 'asset://asset-1', role: 'reference_image' },
        { kind: 'video', url: VIDEO, role: 'reference_video' },
        { kind: 'audio', url: 'https://example.com/a.mp3', role: 'reference_audio' },
      ]),
    )
    expect(await driver().read(ticket, 'org_1')).toMatchObject({
      kind: 'snapshot',
      snapshot: {
        status: 'succeeded',
        content: { video_url: expect.stringContaining('/vendor-a/clips/1080x1920-8s-') },
        measured: { completionTokens: Math.floor((1_080 * 1_920 * (24 * 13 + 1)) / 1_024) },
      },
    })
    expect(await driver().delete(ticket, 'org_1')).toEqual({ kind: 'deleted' })
    expect(await driver().read(ticket, 'org_1')).toEqual({ kind: 'gone' })
  })

  it.each([
    ['fail', { status: 'failed', error: { code: 'generation_failed' } }],
    ['moderate-late', { status: 'failed', error: { code: 'content_policy_violation' } }],
    ['bad-media', { status: 'failed', error: { code: 'invalid_parameter' } }],
    ['expire', { status: 'failed', error: { code: 'task_expired' } }],
    ['cancelled', { status: 'cancelled' }],
    ['odd-status', { status: 'running' }],
  ])('reads the end of [%s]', async (word, snapshot) => {
    const ticket = ticketOf(await create(`[${word}]`))
    vendors.passSeconds(80)
    expect(await driver().read(ticket, 'org_1')).toMatchObject({ kind: 'snapshot', snapshot })
  })

  it.each([
    ['moderate', 'content_policy_violation'],
    ['busy', 'upstream_busy'],
    ['concurrency', 'upstream_busy'],
    ['overdue', 'provider_unavailable'],
    ['closed', 'provider_unavailable'],
    ['broken', 'provider_unavailable'],
  ])('is refused by [%s]', async (word, code) => {
    expect(await create(`[${word}]`)).toMatchObject({ kind: 'refused', apiError: { code } })
  })

  it('cannot delete what is running', async () => {
    const ticket = ticketOf(await create(''))
    vendors.passSeconds(30)
    expect(await driver().delete(ticket, 'org_1')).toEqual({ kind: 'refused' })
  })
})

describe('the driver of vendor B', () => {
  const driver = (): VideoDriver =>
    vendorBDriver({ upstream: scenario.open({ baseUrl: `${vendors.url}/vendor-b` }), apiKey: () => 'any' })
  const create = (work: FamilyBWork, model = 'gen-v4-std') =>
    driver().create({
      organizationId: 'org_1',
      order: {
        family: 'b',
        model,
        mode: model === 'gen-v3' ? undefined : 'std',
        work,
        options: EVERY_OPTION,
      },
      expiresAfterSeconds: 600,
      noticeUrl: undefined,
    })
  const write = (words: string): FamilyBWork => ({ taskType: 'text-to-video', prompt: `a cat ${words}` })

  it.each<[string, FamilyBWork]>([
    ['gen-v4-std', write('')],
    [
      'gen-v4-std',
      {
        taskType: 'image-to-video',
        prompt: '',
        firstFrame: IMAGE,
        endFrame: IMAGE,
        midFrames: [{ tag: '@a', url: IMAGE, timeStampSeconds: 2 }],
      },
    ],
    [
      'gen-v4-std',
      {
        taskType: 'omni-video',
        prompt: '',
        images: [{ tag: '@a', type: 'image', urls: [IMAGE, IMAGE], audioUrl: 'https://example.com/a.mp3' }],
        video: { tag: '@v', type: 'reference', url: VIDEO },
      },
    ],
    ['gen-v3', { taskType: 'reference', prompt: 'a cat', images: [IMAGE] }],
    ['gen-v3', { taskType: 'extension', prompt: 'a cat', prefixVideo: VIDEO }],
    ['gen-v3', { taskType: 'cutshot', prompt: '', prefixVideo: VIDEO, cutType: 'close-up' }],
    ['gen-v3', { taskType: 'restyling', videoUrl: VIDEO, styleName: 'paper' }],
  ])('is understood: %s, %j', async (model, work) => {
    const ticket = ticketOf(await create(work, model))
    vendors.passSeconds(200)
    expect(await driver().read(ticket, 'org_1')).toMatchObject({
      kind: 'snapshot',
      snapshot: { status: 'succeeded', content: { video_url: expect.stringContaining('/vendor-b/clips/') } },
    })
  })

  it.each([
    ['credits', { status: 'succeeded', measured: { credits: 96, seconds: 8 } }],
    ['no-usage', { status: 'succeeded', measured: {} }],
    ['no-video', { status: 'failed', error: { code: 'generation_failed' } }],
    ['fail', { status: 'failed', error: { code: 'generation_failed' } }],
    ['moderate-late', { status: 'failed', error: { code: 'content_policy_violation' } }],
    ['bad-media', { status: 'failed', error: { code: 'invalid_parameter' } }],
  ])('reads the end of [%s]', async (word, snapshot) => {
    const ticket = ticketOf(await create(write(`[${word}] [instant]`)))
    expect(await driver().read(ticket, 'org_1')).toMatchObject({ kind: 'snapshot', snapshot })
  })

  it.each([
    ['moderate', 'content_policy_violation'],
    ['busy', 'upstream_busy'],
    ['concurrency', 'upstream_busy'],
    ['overdue', 'provider_unavailable'],
    ['closed', 'provider_unavailable'],
    ['broken', 'provider_unavailable'],
  ])('is refused by [%s]', async (word, code) => {
    expect(await create(write(`[${word}]`))).toMatchObject({ kind: 'refused', apiError: { code } })
  })
})
