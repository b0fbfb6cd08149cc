import { describe, expect, test } from 'vitest'
import { openAtOnce } from '../../../../test/kept-replies/open-at-once.ts'
import { createSecrets } from '../../../adapters/system/secrets.ts'
import { COSTLY_BYTES } from '../../waiting/body-turns.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const PLACE = 'a place'
const TURN = { holder: 'org_1', signal: new AbortController().signal }
const closed = (text: string) => ({ encrypted: secrets.encrypt(text, PLACE), boundTo: PLACE })

/** A text within the bound, and a text beyond it. */
const SIZES: [string, string, string[]][] = [
  ['short', 'é'.repeat(10), []],
  ['long', 'é'.repeat(COSTLY_BYTES), ['decrypt']],
]

describe.each(SIZES)('a %s value', (_size, prior, jobs) => {
  test('is decrypted on another thread only if it is long', async () => {
    const ran: string[] = []
    expect(await openAtOnce(secrets, ran).text(closed(prior), 'org_1')).toBe(prior)
    expect(ran).toEqual(jobs)
  })

  test('is split into one member, character by character unchanged, and the rest', async () => {
    const ran: string[] = []
    const response = `{"id":12345678901234567890, "é":"\\u00e9${prior}"}`
    const value = closed(`{"parts":3,"response":${response}}`)
    const split = await openAtOnce(secrets, ran).split(value, 'response', 'org_1')
    expect(split).toEqual({ member: response, rest: { parts: 3, response: null } })
    expect(ran).toEqual(jobs)
  })

  test('that was encrypted for another place, or was changed, is not decrypted', async () => {
    const opener = openAtOnce(secrets)
    const value = closed(prior)
    expect(await opener.text({ ...value, boundTo: 'another' }, 'org_1')).toBeUndefined()
    expect(
      await opener.split({ ...value, encrypted: `${value.encrypted}A` }, 'response', 'org_1'),
    ).toBeUndefined()
  })

  test('precedes the items of a request, whose numbers keep their spelling', async () => {
    const ran: string[] = []
    const opener = openAtOnce(secrets, ran)
    const items = `{"role":"user","content":"${prior}"}`
    const call = '{"type":"function_call","arguments":{"n":12345678901234567890}}'
    const asked = {
      request: `{"model":"v/m","previous_response_id":"resp_1","input":[${call}],"store":true}`,
      provider: 'v',
    }
    const expected = `{"model":"v/m","store":true,"input":[${items},${call}]}`
    const conversation = { provider: 'v', items }
    for (const before of [conversation, closed(JSON.stringify(conversation))]) {
      const joined = await opener.join(before, asked, TURN)
      expect(joined?.bytes.toString()).toBe(expected)
      expect(joined?.items()).toBe(`${items},${call}`)
    }
    expect(ran).toEqual(jobs.flatMap(() => ['continue', 'continue']))
  })
})
