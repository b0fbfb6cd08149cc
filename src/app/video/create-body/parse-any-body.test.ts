import { expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { EDGE } from '../../../../test/video/prepare.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { ContentItem, VideoRequest } from '../../../domain/video/request.ts'
import { parseCreateTask } from './parse-create-task.ts'

const parse = (body: unknown) => parseCreateTask(body, Buffer.from(JSON.stringify(body)), EDGE)

function parseOrRefuse(body: unknown): VideoRequest | undefined {
  try {
    return parse(body)
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400 })
    return undefined
  }
}

test('any JSON value parses or is refused with 400', () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => void parseOrRefuse(body)))
})

/** Mostly valid values, so that the inner checks run, and sometimes arbitrary ones. */
const mostly = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue() })

const short = fc.constantFrom('a', ' b ', '', '@c')
const url = mostly(fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.constant(' asset://one ')))
const item = fc.record(
  {
    type: mostly(fc.constantFrom('text', 'image_url', 'video_url', 'audio_url')),
    text: mostly(fc.string()),
    image_url: mostly(fc.record({ url })),
    video_url: mostly(fc.record({ url })),
    audio_url: mostly(fc.record({ url })),
    role: mostly(short),
    tag: mostly(short),
    time_stamp: mostly(fc.double({ noNaN: true })),
  },
  { requiredKeys: ['type'] },
)
const body = fc.record(
  {
    model: mostly(fc.constantFrom('vendorA/gen-2.0', 'vendorB/gen-v3')),
    content: mostly(fc.array(mostly(item), { minLength: 1, maxLength: 5 })),
    task_type: mostly(short),
    duration: mostly(fc.integer({ min: 4, max: 15 })),
    ratio: mostly(fc.constantFrom('16:9', ' 9:16', '1:1', '')),
    resolution: mostly(short),
    seed: mostly(fc.maxSafeInteger()),
    framespersecond: mostly(fc.integer()),
    generate_audio: mostly(fc.boolean()),
    draft: mostly(fc.boolean()),
    service_tier: mostly(short),
    callback_url: mostly(fc.webUrl({ validSchemes: ['https'] })),
    execution_expires_after: mostly(fc.integer({ min: 1, max: 172_800 })),
    metadata: mostly(fc.dictionary(fc.string(), fc.jsonValue())),
  },
  { requiredKeys: ['model', 'content'] },
)

test('a nearly valid body parses or is refused with 400, and a parsed request parses to an equal one', () => {
  let parsed = 0
  fc.assert(
    fc.property(body, (asked) => {
      const request = parseOrRefuse(asked)
      if (request === undefined) return
      parsed += 1
      const items = request.items.map((read, index) => ({ ...read, index }))
      expect(parse(bodyOf(request))).toEqual({ ...request, items })
    }),
    runs(2000),
  )
  expect(parsed).toBeGreaterThan(runs(2000).numRuns / 10)
})

function bodyOf(request: VideoRequest): object {
  return {
    model: request.model,
    content: request.items.map(contentOf),
    task_type: request.taskType,
    duration: request.durationSeconds,
    ratio: request.ratio,
    resolution: request.resolution,
    seed: request.seed,
    framespersecond: request.framesPerSecond,
    generate_audio: request.generateAudio,
    draft: request.draft,
    service_tier: request.serviceTier,
    callback_url: request.callbackUrl,
    execution_expires_after: request.executionExpiresAfterSeconds,
    metadata: JSON.parse(request.metadata),
  }
}

function contentOf(read: ContentItem): object {
  if (read.kind === 'text') return { type: 'text', text: read.text, role: read.role }
  const { kind, url, role, tag, timeStampSeconds } = read
  return { type: `${kind}_url`, [`${kind}_url`]: { url }, role, tag, time_stamp: timeStampSeconds }
}
