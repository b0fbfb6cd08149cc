import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Snapshot } from '../../../domain/video/snapshot.ts'
import { readSnapshot } from './map-snapshot.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')
const OPEN = { content: undefined, error: undefined, measured: {} } as const
const LINK = 'https://cdn.example/video.mp4'

function failed(code: string, message: string): Snapshot {
  return { ...OPEN, status: 'failed', error: { code, message } }
}

const EXPECTED: Record<string, Snapshot | undefined> = {
  submitted: { ...OPEN, status: 'queued' },
  pending: { ...OPEN, status: 'queued' },
  ok: { ...OPEN, status: 'queued' },
  running: { ...OPEN, status: 'running' },
  unknown: { ...OPEN, status: 'running' },
  'a-new-status': { ...OPEN, status: 'running' },
  success: {
    ...OPEN,
    status: 'succeeded',
    content: { video_url: `${LINK}?sign=abc`, duration: 5, resolution: '720p', cost_credits: 70 },
    measured: { credits: 70, seconds: 5 },
  },
  'success-in-texts': {
    ...OPEN,
    status: 'succeeded',
    content: { video_url: LINK, duration: '5.04', cost_credits: '12.5' },
    measured: { credits: 12.5, seconds: 5.04 },
  },
  'success-without-cost': {
    ...OPEN,
    status: 'succeeded',
    content: { video_url: LINK, duration: 8, cost_credits: null },
    measured: { seconds: 8 },
  },
  'success-with-a-code': { ...OPEN, status: 'succeeded', content: { video_url: LINK } },
  'success-without-a-link': {
    ...failed('generation_failed', 'The provider finished without a video.'),
    measured: { seconds: 5 },
  },
  'success-without-data': failed('generation_failed', 'The provider finished without a video.'),
  failed: failed('generation_failed', 'The model ran out of ideas.'),
  'failed-by-safety': failed('content_policy_violation', 'The prompt is not safe.'),
  'failed-by-parameter': failed('invalid_parameter', 'prefix_video is too short'),
  'failed-by-credits': failed('provider_unavailable', 'The provider is not available.'),
  'failed-inside': failed('generation_failed', 'worker lost'),
  'failed-without-a-reason': failed('generation_failed', 'The provider could not make the video.'),
  'failed-poll-busy': undefined,
  'failed-poll-concurrency': undefined,
  'failed-poll-without-status': undefined,
  'no-status': undefined,
  detail: undefined,
}

it('every fixture has an expected result', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(
    Object.keys(EXPECTED)
      .map((name) => `${name}.json`)
      .sort(),
  )
})

it.each(Object.entries(EXPECTED))('%s', (name, snapshot) => {
  const json: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
  expect(readSnapshot(json, { secrets: [] })).toStrictEqual(snapshot)
})

it.each([
  [{ cost_credits: 1e300, duration: 1e15 }, {}],
  [{ cost_credits: '999999999999999', duration: 5 }, { seconds: 5 }],
  [{ cost_credits: 70, duration: 86_401 }, { credits: 70 }],
])('the measures %j are read as %j', (measures, measured) => {
  const json = { status: 'success', data: { video_url: LINK, ...measures } }
  expect(readSnapshot(json, { secrets: [] })).toMatchObject({ status: 'succeeded', measured })
  expect(readSnapshot(json, { secrets: [] })?.measured).toStrictEqual(measured)
})

it.each([undefined, null, '', 0, true, [], {}, { status: {} }, { status: ' ' }])(
  '%j leaves the state of a task open',
  (json) => {
    expect(readSnapshot(json, { secrets: [] })).toBeUndefined()
  },
)
