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
  created: undefined,
  'created-as-a-task': { ...OPEN, status: 'queued' },
  queued: { ...OPEN, status: 'queued' },
  running: { ...OPEN, status: 'running' },
  succeeded: {
    ...OPEN,
    status: 'succeeded',
    content: { video_url: `${LINK}?sign=abc`, last_frame_url: 'https://cdn.example/last.png?sign=abc' },
    measured: { completionTokens: 108_900 },
  },
  'succeeded-with-texts-and-more': {
    ...OPEN,
    status: 'succeeded',
    content: { video_url: LINK, file_size_bytes: 12 },
    measured: { completionTokens: 108_900 },
  },
  'succeeded-without-a-link': { ...OPEN, status: 'running', measured: { completionTokens: 108_900 } },
  'succeeded-with-a-link-to-nowhere': { ...OPEN, status: 'running' },
  'succeeded-with-odd-usage': { ...OPEN, status: 'succeeded', content: { video_url: LINK } },
  'failed-by-moderation': failed(
    'content_policy_violation',
    'The request failed because the output video may contain sensitive information.',
  ),
  'failed-by-risk': failed('content_policy_violation', 'The image is not allowed.'),
  'failed-by-restriction': failed('content_policy_violation', 'The provider refused the content.'),
  'failed-by-parameter': failed('invalid_parameter', 'duration is too long for this model'),
  'failed-by-account': failed('provider_unavailable', 'The provider is not available.'),
  'failed-by-rate': failed('provider_unavailable', 'The provider is not available.'),
  'failed-inside': failed('generation_failed', 'The service encountered an unexpected internal error.'),
  'failed-with-a-text': failed('generation_failed', 'out of memory'),
  'failed-without-a-reason': failed('generation_failed', 'The provider could not make the video.'),
  cancelled: { ...OPEN, status: 'cancelled' },
  expired: failed('task_expired', 'The task was not finished in time.'),
  'unknown-status': { ...OPEN, status: 'running' },
  'status-is-a-number': { ...OPEN, status: 'running' },
  'only-an-error': undefined,
  'a-list': undefined,
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

it.each([undefined, null, '', 0, true, [], {}, { status: null }, { status: {} }, { status: ' ' }])(
  '%j leaves the state of a task open',
  (json) => {
    expect(readSnapshot(json, { secrets: [] })).toBeUndefined()
  },
)

it('removes our secrets from the text of the vendor', () => {
  const task = { status: 'failed', error: { code: 'X', message: 'key sk-canary-1 is bad' } }
  expect(readSnapshot(task, { secrets: ['sk-canary-1'] })?.error?.message).toBe('key … is bad')
})

it.each([1_000_000_001, Number.MAX_SAFE_INTEGER, 1e300, -1])(
  '%d tokens are no measure of a video',
  (tokens) => {
    const json = { status: 'running', usage: { completion_tokens: tokens } }
    expect(readSnapshot(json, { secrets: [] })?.measured).toStrictEqual({})
  },
)
