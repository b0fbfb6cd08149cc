import { expect, it } from 'vitest'
import { readCode, readVendorError } from './map-failure.ts'

const CODES: [number, string][] = [
  [401, 'unavailable'],
  [403, 'unavailable'],
  [404, 'unavailable'],
  [422, 'invalid-parameter'],
  [429, 'busy'],
  [480, 'unavailable'],
  [481, 'busy'],
  [482, 'content-policy'],
  [500, 'unavailable'],
  [599, 'unavailable'],
]

it.each(CODES)('%i in the body or as a status is %s', (code, kind) => {
  expect(read(200, { code, msg: 'no' })).toEqual({ kind, message: 'no', param: undefined })
  expect(read(200, { code: String(code), msg: 'no' }).kind).toBe(kind)
  expect(read(code, { msg: 'no' }).kind).toBe(kind)
  expect(read(code, undefined)).toEqual({ kind, message: undefined, param: undefined })
})

it('prefers the code of the body to the status', () => {
  expect(readCode({ status: 500, json: { code: 482 } })).toBe(482)
  expect(readCode({ status: 429, json: { code: 200 } })).toBe(429)
  expect(readCode({ status: 200, json: { code: 'x' } })).toBe(200)
})

it.each([
  ['aspect_ratio', 'ratio'],
  ['sound', 'generate_audio'],
  ['duration', 'duration'],
  ['resolution', 'resolution'],
  ['first_frame_image', 'content'],
  ['ref_images', 'content'],
  ['prefix_video', 'content'],
  ['style_name', 'content'],
  ['something_new', undefined],
])('a detail about %s is about our %s', (field, param) => {
  const detail = [{ loc: ['body', field, 0], msg: 'is wrong', type: 'value_error' }]
  expect(read(422, { detail })).toEqual({ kind: 'invalid-parameter', message: 'is wrong', param })
})

it.each(['api_key', 'mode'])("a wrong %s is not the client's fault", (field) => {
  expect(read(422, { detail: [{ loc: ['body', field], msg: 'is wrong' }] }).kind).toBe('unavailable')
})

it('joins the texts of several details without their input', () => {
  const detail = [
    { loc: ['body', 'duration'], msg: 'too long', input: { api_key: 'canary' } },
    { loc: null, msg: 'too odd' },
    { loc: ['body'] },
    'odd',
  ]
  expect(read(422, { detail })).toMatchObject({ message: 'too long; too odd', param: 'duration' })
})

it('accepts a detail that is a text', () => {
  expect(read(422, { detail: 'duration is wrong' }).message).toBe('duration is wrong')
})

it('hides the key that the vendor repeats', () => {
  const vendorError = readVendorError(
    { status: 422, json: { msg: 'bad body {"api_key":"canary-key"}' } },
    { secrets: ['canary-key'] },
  )
  expect(vendorError.message).toBe('bad body {"api_key":"…"}')
})

function read(status: number, json: unknown) {
  return readVendorError({ status, json }, { secrets: [] })
}
