import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { isGatewayProof, makeChallenge, proveGateway } from './gateway-proof.ts'

const secrets = createSecrets('a secret of the tests, long enough to be one')
const place = { machine: 'one', port: 8080 }
const prove = proveGateway({ secrets, machine: place.machine })

test('a gateway with the secret proves where it listens', () => {
  const challenge = makeChallenge(secrets)
  expect(isGatewayProof(prove(challenge, 8080), { challenge, place, secrets })).toBe(true)
})

test.each<[string, (challenge: string) => unknown]>([
  ['of another challenge', () => prove(makeChallenge(secrets), 8080)],
  ['of another port', (challenge) => prove(challenge, 8081)],
  ['of another machine', (challenge) => proveGateway({ secrets, machine: 'two' })(challenge, 8080)],
  [
    'under another secret',
    (challenge) => proveGateway({ secrets: createSecrets('x'.repeat(32)), machine: 'one' })(challenge, 8080),
  ],
  ['that is cut', (challenge) => prove(challenge, 8080)?.slice(0, -4)],
  ['that is the challenge', (challenge) => challenge],
  ['that is missing', () => undefined],
  ['that is no text', () => 7],
])('a proof %s is refused', (_name, proofOf) => {
  const challenge = makeChallenge(secrets)
  expect(isGatewayProof(proofOf(challenge), { challenge, place, secrets })).toBe(false)
})

test.each(['', 'short', 'x'.repeat(44), `${'x'.repeat(42)} `])('%j is not a challenge', (challenge) => {
  expect(prove(challenge, 8080)).toBeUndefined()
})
