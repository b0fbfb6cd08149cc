import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AssetSnapshot } from '../../../domain/assets/asset.ts'
import { readEnvelope } from './call-action.ts'
import { readAsset, readAssets } from './driver.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')
const NONE = { secrets: [] }
const PROCESSING = { status: 'processing', url: undefined, error: undefined } as const
const ACTIVE = {
  status: 'active',
  url: 'https://cdn.example/asset-1.png?sign=abc',
  error: undefined,
} as const

const EXPECTED: Record<string, AssetSnapshot | undefined> = {
  processing: PROCESSING,
  active: ACTIVE,
  'active-bare': ACTIVE,
  'active-without-a-link': PROCESSING,
  'active-with-a-link-to-nowhere': PROCESSING,
  'unknown-status': PROCESSING,
  'no-status': undefined,
  'failed-by-moderation': failed('moderation_rejected', 'The input image may contain sensitive information.'),
  'failed-by-face': failed('face_mismatch', 'The face is of another person.'),
  'failed-by-download': failed('download_failed', 'cannot read … of the client'),
  'failed-by-size': failed('spec_violation', 'The size or the length of the media is not within the limits.'),
  'failed-bare': failed('transcoding_failed', 'codec'),
  'failed-without-a-reason': failed('processing_failed', 'The asset could not be processed.'),
  'failed-with-a-new-code': failed('processing_failed', 'solar weather'),
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
  const envelope = readEnvelope({ kind: 'answer', status: 200, headers: {}, json })
  expect(envelope.kind === 'result' ? readAsset(envelope.result, NONE) : 'error').toStrictEqual(snapshot)
})

it.each([undefined, null, '', 0, [], {}, { Status: null }, { Status: {} }, { Status: ' ' }])(
  '%j leaves the state of an asset open',
  (value) => {
    expect(readAsset(value, NONE)).toBeUndefined()
  },
)

it('removes our secrets from the text of the vendor', () => {
  const asset = { Status: 'Failed', Error: { Code: 'X', Message: 'key ak-canary-1 is bad' } }
  expect(readAsset(asset, { secrets: ['ak-canary-1'] })?.error?.message).toBe('key … is bad')
})

it('reads a list, and leaves out items without id or status', () => {
  const active = { Status: 'Active', URL: ACTIVE.url }
  const items = [
    { Id: 'a', ...active },
    { Id: 'b' },
    active,
    null,
    'x',
    { Id: 'a b', ...active },
    { Id: 7, ...active },
  ]
  expect([...readAssets(items, NONE)]).toEqual([
    ['a', ACTIVE],
    ['7', ACTIVE],
  ])
  expect(readAssets({ length: 1 }, NONE).size).toBe(0)
})

function failed(code: string, message: string): AssetSnapshot {
  return { status: 'failed', url: undefined, error: { code, message } }
}
