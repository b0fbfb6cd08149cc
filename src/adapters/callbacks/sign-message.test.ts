import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signMessage } from './send-callback.ts'

/** Example from the tests of the Standard Webhooks libraries. */
const EXAMPLE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  atMs: 1_614_265_330_999,
  body: '{"test": 2432232314}',
}
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

test('a message is signed as the scheme requires', () => {
  expect(signMessage({ ...EXAMPLE, secrets: [SECRET] })).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
  })
})

test('each secret gives its own signature, in the order of the secrets', () => {
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`
  const signed = signMessage({ ...EXAMPLE, secrets: [other, SECRET] })['webhook-signature'].split(' ')
  expect(signed).toEqual([expect.stringMatching(/^v1,[\w+/]{43}=$/), SIGNATURE])
  expect(signed[0]).not.toBe(SIGNATURE)
})

test.each([{ id: 'msg_other' }, { atMs: 1_614_265_331_000 }, { body: '{"test": 2432232315}' }])(
  'any change, such as %j, changes the signature',
  (change) => {
    const signed = signMessage({ ...EXAMPLE, ...change, secrets: [SECRET] })
    expect(signed['webhook-signature']).not.toBe(SIGNATURE)
  },
)

test("a receiver with the scheme's own library takes the message, with the old secret and with the new one", () => {
  const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
  const message = { id: 'msg_1', atMs: Date.now(), body: '{"status":"succeeded","prompt":"ü"}' }
  const headers = signMessage({ ...message, secrets })
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ status: 'succeeded', prompt: 'ü' })
    expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow('No matching signature')
  }
})
