import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX } from '@sluice/dialects/json/parse-json'
import { describe, expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { openAtOnce } from '../../../../test/kept-replies/open-at-once.ts'
import { createSecrets } from '../../../adapters/system/secrets.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { COSTLY_BYTES } from '../../waiting/body-turns.ts'
import type { ReadHeavyBody } from '../contract/heavy-body.ts'
import { LightBody } from '../contract/light-body.ts'
import { ReplySession } from '../contract/reply-session.ts'
import { NO_CLIENT } from '../contract/reply-sink.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { continueReply } from './continue-reply.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const PLACE = 'a place'
const VALUE = { model: 'v/m', input: 'more', previous_response_id: 'resp_1' }
const COMMAND: TextCommand = {
  ...{ endpoint: 'responses', requestId: 'req_1', caller: CALLER, idempotencyKey: undefined },
  ...{ version: undefined, betas: undefined, isStrict: false },
  body: new LightBody('responses', Buffer.from(JSON.stringify(VALUE)), VALUE),
}
const prior = (length: number) => `{"role":"user","content":"${'x'.repeat(length)}"}`

/** Runs a request that continues from these items, and logs the steps in order. */
function open(items: string, { hasMoney = true } = {}) {
  const log: string[] = []
  const encrypted = secrets.encrypt(JSON.stringify({ provider: 'v', items }), PLACE)
  const { join } = openAtOnce(secrets, log)
  const readHeavyBody: ReadHeavyBody = async ({ bytes }) => {
    log.push('read heavy')
    return { value: { read: bytes.length } } as unknown as Awaited<ReturnType<ReadHeavyBody>>
  }
  const answer = continueReply({
    replies: { findConversation: async () => ({ encrypted, boundTo: PLACE }) },
    values: { join },
    turns: {
      take(holder, run) {
        log.push(`turn of ${holder}`)
        run()
      },
    },
    readHeavyBody,
    keepsByDefault: () => false,
    prices: { nameOf: (asked) => asked },
    async checkFunds() {
      log.push('funds')
      if (!hasMoney) throw new ApiError('insufficient_balance')
    },
  })
  return { log, run: (command = COMMAND) => answer(command, 'resp_1', NO_CLIENT) }
}

const TURN = `turn of ${CALLER.organizationId}`

describe('a request that continues a kept reply', () => {
  test.each<[string, string, string[]]>([
    ['a short conversation is joined immediately', prior(10), []],
    [
      'a long conversation is joined on another thread, and parsed in its turn',
      prior(COSTLY_BYTES),
      ['funds', 'continue', TURN],
    ],
    ['a heavy body is parsed on another thread', prior(LIGHT_BYTES_MAX), ['funds', 'continue', 'read heavy']],
    [
      'a body of few bytes and many values is parsed on another thread',
      `{"content":[${Array(LIGHT_VALUES_MAX).fill(0)}]}`,
      ['funds', 'continue', TURN, 'read heavy'],
    ],
  ])('%s', async (_name, items, expected) => {
    const { log, run } = open(items)
    const { prior, command } = await run()
    expect(log).toEqual(expected)
    expect(prior.items()).toBe(`${items},{"role":"user","content":"more"}`)
    if (command.body instanceof LightBody)
      expect(command.body.value).not.toHaveProperty('previous_response_id')
  })

  test('without money a long conversation is not decrypted', async () => {
    const { log, run } = open(prior(COSTLY_BYTES), { hasMoney: false })
    await expect(run()).rejects.toMatchObject({ code: 'insufficient_balance' })
    expect(log).toEqual(['funds'])
  })

  test('a long conversation of a connection is searched in its turn, and joined on another thread', async () => {
    const { log, run } = open('')
    const session = new ReplySession({ take: () => true, give() {} })
    const items = prior(COSTLY_BYTES)
    session.begin({ provider: 'v', length: items.length, items: () => items })
    session.end('{"response":{"id":"resp_1","output":[]}}')
    const continued = await run({ ...COMMAND, session })
    expect(continued.prior.items()).toBe(`${items},{"role":"user","content":"more"}`)
    expect(log).toEqual([TURN, 'funds', 'continue', TURN])
  })
})
