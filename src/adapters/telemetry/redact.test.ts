import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { redact } from './redact.ts'

const LEAKS: Record<string, string> = {
  'an API key of ours': 'bad key sk-sluice-CANARY12345 given',
  'a vendor key': 'Incorrect API key provided: sk-CANARY12345.',
  'a webhook secret': 'secret whsec_CANARY+/12345= is wrong',
  'a bearer header': 'sent Authorization: Bearer CANARY12345',
  'a bearer header in lower case': 'authorization: bearer CANARY12345',
  'a basic header': 'Proxy says Basic CANARY12345',
  'an api_key in JSON': 'body {"api_key":"CANARY12345","prompt":"x"}',
  'an api_key in a query': 'GET /v1/tasks?api_key=CANARY12345&x=1 failed',
  'an x-api-key header': 'x-api-key: CANARY12345',
  'a password setting': "password='CANARY12345'",
  'a secret access key': 'secret_access_key = CANARY12345',
  'a vendor token field': 'VerifyToken=CANARY12345',
  'a database address': 'cannot reach postgres://sluice:CANARY12345@db:5432/sluice',
  'a database address with a slash in its password': 'redis://:CAN/CANARY12345@cache:6379',
  'a signed link': 'download https://cdn.example.com/v.mp4?X-Signature=CANARY12345 failed',
  'a link with a secret path': 'poll https://b.example.com/api/v1/video/text2video/task/CANARY12345 failed',
  'a fragment': 'open https://verify.example.com/#CANARY12345',
  'a long opaque text': `unexpected ${'CANARY'.repeat(20)}`,
}

describe('redact', () => {
  for (const [what, text] of Object.entries(LEAKS)) {
    it(`hides ${what}`, () => {
      expect(redact(text, { maxCharacters: 300 })).not.toContain('CANARY')
    })
  }

  it('keeps words that an operator needs', () => {
    const text = 'connect ECONNREFUSED 127.0.0.1:5432 for key_0199aabbccddeeff0011223344556677'
    expect(redact(text, { maxCharacters: 300 })).toBe(text)
  })

  it('keeps the host of an address', () => {
    expect(redact('GET https://user:pw@api.example.com:8443/v1/x?y=1 failed', { maxCharacters: 300 })).toBe(
      'GET https://api.example.com:8443/… failed',
    )
  })

  it('never shows the first half of a secret that the reading limit cuts', () => {
    for (let padding = 1_960; padding < 2_000; padding += 1) {
      const text = `${'a '.repeat(padding / 2)}password=CANARY12345`
      expect(redact(text, { maxCharacters: 4_000 })).not.toContain('CANARY')
    }
  })

  it('keeps the length limit and hides a key at any position', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), fc.string({ maxLength: 200 }), (before, after) => {
        const text = redact(`${before} sk-sluice-CANARY12345 ${after}`, { maxCharacters: 300 })
        expect(text.length).toBeLessThanOrEqual(300)
        expect(text).not.toContain('CANARY')
      }),
    )
  })

  it('is fast for a hostile text', () => {
    for (const piece of ['a-', '://', 'Bearer ', '"', 'token', '@', '?/']) {
      expect(redact(piece.repeat(100_000), { maxCharacters: 300 }).length).toBeLessThanOrEqual(300)
    }
  })
})
