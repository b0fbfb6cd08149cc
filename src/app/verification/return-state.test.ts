import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { digestState, digestsOfState, makeState } from './return-state.ts'

const SECRETS = createSecrets('a secret of more than thirty-two characters')
const OTHER = createSecrets('another secret of more than thirty-two characters')
const STATE = makeState(SECRETS)

test('a state of this deployment has one digest', () => {
  expect(STATE).toMatch(/^[\w-]{43}$/)
  expect(digestState(STATE, SECRETS)).toBe(SECRETS.digest(`verification ${STATE}`))
  expect(digestsOfState(STATE, SECRETS)).toEqual([digestState(STATE, SECRETS)])
})

const FORGED = Buffer.from(SECRETS.randomBytes(32)).toString('base64url')

test.each(['', 'short', `${STATE}x`, STATE.slice(1), FORGED, makeState(OTHER)])(
  'the store is not read for a state that this deployment never made, such as %j',
  (state) => {
    expect(digestsOfState(state, SECRETS)).toEqual([])
  },
)
