import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { confirmationOf, consentUrlOf, groupOfConsent, isConfirmation } from './consent-link.ts'

const OLD = 'a secret of more than thirty-two characters'
const NEW = 'another secret of more than thirty-two characters'
const SECRETS = createSecrets(OLD)
const GROUP = `group_${'0123456789abcdef'.repeat(2)}`
const tokenOf = (secrets = SECRETS, groupId = GROUP) =>
  consentUrlOf({ secrets, publicBaseUrl: () => 'https://gate.example' })(groupId).slice(
    'https://gate.example/v1/video/assets/sessions/consent/'.length,
  )
const TOKEN = tokenOf()

test('a link leads to its group, is the same each time, and shows nothing that can be read', () => {
  expect(TOKEN).toMatch(/^[\w-]{43}$/)
  expect(TOKEN).not.toContain('group')
  expect(tokenOf()).toBe(TOKEN)
  expect(groupOfConsent(TOKEN, SECRETS)).toBe(GROUP)
})

const FORGED = Buffer.from(SECRETS.randomBytes(32)).toString('base64url')
const OTHER_GROUP = tokenOf(SECRETS, `group_${'f'.repeat(32)}`)
const MIXED = Buffer.concat([
  Buffer.from(OTHER_GROUP, 'base64url').subarray(0, 16),
  Buffer.from(TOKEN, 'base64url').subarray(16),
]).toString('base64url')

test.each(['', 'short', `${TOKEN}x`, TOKEN.slice(1), FORGED, MIXED, tokenOf(createSecrets(NEW))])(
  'no group for a token that this deployment never made, such as %j',
  (token) => {
    expect(groupOfConsent(token, SECRETS)).toBeUndefined()
  },
)

test('a link works before, during and after a change of the secret', () => {
  const state = { check: SECRETS.makeCheck(), previousCheck: null, encryptedMarkKey: null }
  const both = createSecrets(NEW, { previous: OLD })
  const first = { ...state, unnamedSecret: null, switchedAtMs: null }
  expect(both.follow(first)).toBe('previous')
  expect(groupOfConsent(TOKEN, both)).toBe(GROUP)
  const switched = both.draftSwitch(first, 1)
  expect(both.follow(switched)).toBe('current')
  expect(groupOfConsent(TOKEN, both)).toBe(GROUP)
  const after = createSecrets(NEW)
  after.follow({ ...switched, previousCheck: null })
  expect(groupOfConsent(TOKEN, after)).toBe(GROUP)
  expect(tokenOf(after)).toBe(TOKEN)
})

test('a confirmation is valid for one group', () => {
  const confirmation = confirmationOf(GROUP, SECRETS)
  expect(isConfirmation(confirmation, GROUP, SECRETS)).toBe(true)
  for (const wrong of ['', 'x', TOKEN, confirmationOf(`group_${'f'.repeat(32)}`, SECRETS)])
    expect(isConfirmation(wrong, GROUP, SECRETS)).toBe(false)
})
