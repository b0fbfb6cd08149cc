import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { cleanMessage } from './clean-message.ts'

const NONE = { secrets: [] }

describe('a cleaned message', () => {
  it.each([
    ['The image is blurred. Request id: 0217189354abcdef', 'The image is blurred.'],
    ['The image is blurred. Request ID：0217189354abcdef.', 'The image is blurred.'],
    ['Blurred (request_id=0217-ab), try again', 'Blurred, try again'],
    ['Blurred. Request id: 0217ab. Try another.', 'Blurred. Try another.'],
    ['Blurred [RequestId: "abc.def"]', 'Blurred'],
    ['Blurred, traceId 5f3c9a77 of today', 'Blurred, of today'],
    ['trace_id: 5f3c9a77', undefined],
    ['Blurred. log-id=x', 'Blurred.'],
    ['request id missing', 'request id missing'],
    ['the grid is too large', 'the grid is too large'],
    ['one\r\n two\t\u0000\u001b[31mthree\u202e\u2028four', 'one two [31mthree four'],
    ['No answer from https://a.example/v1/video/result?token=abc-DEF_0123 today', 'No answer from … today'],
    [
      'Bad "callback_url":"https:\\/\\/a.example\\/v1\\/video\\/result?token=abc".',
      'Bad "callback_url":"…".',
    ],
    ['(/v1/video/result?token=abc)', '(…)'],
    ['to=https%3A%2F%2Fa.example%2fv1%2fvideo%2fresult%3Ftoken%3Dabc', '…'],
    ['No video at https://b.example/v1/video/1', 'No video at https://b.example/v1/video/1'],
    ['   ', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j becomes %j', (text, clean) => {
    expect(cleanMessage(text, NONE)).toBe(clean)
  })

  it('removes echoed secrets, also where the text is cut', () => {
    const secret = 'key-0123456789'
    const text = `${'x '.repeat(1_995)}${secret} bad key ${secret}`
    expect(cleanMessage(`Bad key ${secret}!`, { secrets: [secret] })).toBe('Bad key …!')
    expect(cleanMessage(text, { secrets: [secret] })).not.toContain('key-0')
  })

  it('removes a notice address that is cut off, and a secret that begins like another', () => {
    const text = `${'x '.repeat(200)}https://a.example/v1/video/result?token=${'t'.repeat(5_000)}`
    expect(cleanMessage(text, NONE)).toBe(`${'x '.repeat(200)}…`)
    expect(cleanMessage('model-1-fast is gone', { secrets: ['model-1', 'model-1-fast'] })).toBe('… is gone')
  })

  it('does not redact secrets of fewer than four characters', () => {
    expect(cleanMessage('a 1 in a row', { secrets: ['', '1', 'row'] })).toBe('a 1 in a row')
  })

  it('is always one short line of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
        const clean = cleanMessage(text, NONE) ?? '-'
        expect(clean.length).toBeLessThanOrEqual(500)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toMatch(/\p{Cc}/u)
        expect(clean).toBe(clean.trim())
      }),
    )
    expect(cleanMessage('x'.repeat(100_000), NONE)).toBe(`${'x'.repeat(499)}…`)
  })
})
