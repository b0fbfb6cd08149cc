import { bytesReader } from '@sluice/provenance/clip-reader'
import { inspectClip } from '@sluice/provenance/inspect-clip'
import { expect, test } from 'vitest'
import { type ClipSpec, makeClip } from './make-clip.ts'
import { makeMarkedClip } from './make-marked-clip.ts'

const SPEC: ClipSpec = { width: 864, height: 496, seconds: 7, label: '3f7ac1' }

const inspect = async (marks: ClipSpec['marks']) =>
  inspectClip(bytesReader(await makeMarkedClip({ ...SPEC, marks })))

test('a marked clip is the clip with a valid manifest and metadata', async () => {
  expect(await inspect('valid')).toEqual({
    media_type: 'video/mp4',
    duration_ms: 7_000,
    width: 864,
    height: 496,
    marks: {
      c2pa: { state: 'valid', issuer: 'Sluice sandbox' },
      aigc: expect.objectContaining({ Label: '1', ContentProducer: 'Sluice sandbox', ProduceID: '3f7ac1' }),
    },
  })
})

test('broken marks exist and are not valid', async () => {
  const { marks } = await inspect('broken')
  expect(marks).toEqual({ c2pa: { state: 'invalid', issuer: 'Sluice sandbox' }, aigc: {} })
})

test('a clip without `marks` is unmarked', async () => {
  expect(await makeMarkedClip(SPEC)).toEqual(makeClip(SPEC))
})

test('a marked clip is always the same, and different for each label', async () => {
  const clip = await makeMarkedClip({ ...SPEC, marks: 'valid' })
  expect(await makeMarkedClip({ ...SPEC, marks: 'valid' })).toEqual(clip)
  expect(await makeMarkedClip({ ...SPEC, marks: 'valid', label: 'c13f7a' })).not.toEqual(clip)
})
