import { describe, expect, test } from 'vitest'
import { CALLER } from '../../../test/caller.ts'
import { routeTo } from '../../../test/vendor-call/route-to.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import type { TextCall, TextProvider, TextReceiver } from '../../ports/text-provider.ts'
import { LightBody } from './contract/light-body.ts'
import type { TextCommand } from './contract/text-command.ts'
import { countTokens } from './count-tokens.ts'

const MODEL = builtInModels(0).find(({ name }) => name === 'vendorD/text-small')
const BODY = { model: 'vendorD/text-small', messages: [{ role: 'user', content: 'how long is this?' }] }

function commandOf(value: Record<string, unknown> = BODY): TextCommand {
  return {
    endpoint: 'messages',
    caller: CALLER,
    body: new LightBody('messages', Buffer.from(JSON.stringify(value)), value),
    version: '2023-06-01',
    betas: undefined,
    isStrict: false,
    requestId: 'req_1',
    idempotencyKey: undefined,
  }
}

/** Returns `countTokens` with a vendor that `send` simulates. */
function countWith(send: TextProvider['send'], more: { patienceMs?: number; countsTokens?: boolean } = {}) {
  const { countsTokens = true } = more
  const provider: TextProvider = {
    name: 'vendorD',
    hides: [],
    findModel: () => ({ dialect: 'messages', upstream: 'up', countsTokens, reasons: true }),
    send,
  }
  const find = (): PricedModel | undefined => MODEL
  return countTokens({
    prices: {
      findModel: find,
      offeredNames: () => [],
      findVideoModel: () => undefined,
      nameOf: (asked) => asked,
      listModels: () => [],
      findTarget: () => undefined,
      forget() {},
      offerAgain() {},
    },
    chooseRoute: () => routeTo(provider, { model: MODEL, endpoint: 'messages' }),
    keepToOwnIds: (command) => command,
    ...more,
  })
}

function answering(status: number, body: string) {
  return (_call: TextCall, receiver: TextReceiver) => {
    receiver.onHead(
      { status, retryAfterMs: undefined },
      { pause() {}, resume() {}, stop: () => receiver.onFailure(GONE) },
    )
    receiver.onChunk(Buffer.from(body))
    receiver.onEnd()
    return { stop() {} }
  }
}

const GONE = { kind: 'aborted', taken: 'maybe', retryAfterMs: undefined } as const

describe('countTokens', () => {
  test("gives the vendor's count", async () => {
    const calls: TextCall[] = []
    const count = countWith((call, receiver) => {
      calls.push(call)
      return answering(200, '{"input_tokens":4321}')(call, receiver)
    })
    expect(await count(commandOf())).toBe(4321)
    expect(calls).toMatchObject([{ operation: 'count-tokens', dialect: 'messages', version: '2023-06-01' }])
    expect(JSON.parse(String(calls[0]?.body))).toEqual({ ...BODY, model: 'up' })
  })

  test.each([
    ['no number', 200, '{"input_tokens":"4321"}'],
    ['a negative number', 200, '{"input_tokens":-1}'],
    ['null', 200, 'null'],
    ['not JSON', 200, 'hello'],
    ['far too long', 200, `{"input_tokens":4321${' '.repeat(70_000)}}`],
    ['a failure', 500, '{"input_tokens":4321}'],
    ['busy', 429, ''],
    ['a wrong key', 401, ''],
  ])('uses its own count when the answer is: %s', async (_name, status, body) => {
    const counted = await countWith(answering(status, body))(commandOf())
    expect(counted).toBeGreaterThan(3)
    expect(counted).toBeLessThan(30)
  })

  test('waits for a silent vendor for a bounded time', async () => {
    const count = countWith((_call, receiver) => ({ stop: () => receiver.onFailure(GONE) }), {
      patienceMs: 1,
    })
    expect(await count(commandOf())).toBeLessThan(30)
  })

  test('does not call a vendor that cannot count', async () => {
    const count = countWith(
      () => {
        throw new Error('was asked')
      },
      { countsTokens: false },
    )
    expect(await count(commandOf())).toBeLessThan(30)
  })

  test('an error of the vendor about the request reaches the client', async () => {
    const errorBody = '{"type":"error","error":{"type":"invalid_request_error","message":"too odd"}}'
    const counting = countWith(answering(400, errorBody))(commandOf())
    await expect(counting).rejects.toMatchObject({ code: 'invalid_parameter', message: /too odd/ })
  })

  describe('the count of a thread', () => {
    const thread = { type: 'continue', previous_message_id: 'msg_1' }

    test("is the vendor's", async () => {
      const counted = await countWith(answering(200, '{"input_tokens":4321}'))(commandOf({ ...BODY, thread }))
      expect(counted).toBe(4321)
    })

    test.each([{ countsTokens: true }, { countsTokens: false }])(
      'is refused by the gateway when only the vendor knows the conversation: %j',
      async (more) => {
        const counting = countWith(answering(500, ''), more)(commandOf({ ...BODY, thread }))
        await expect(counting).rejects.toMatchObject({ param: 'thread', details: undefined })
      },
    )

    test.each([{ thread: null }, { thread: { type: 'create' } }])(
      'is estimated by the gateway when the vendor stores no part of the thread: %j',
      async (more) => {
        const counted = await countWith(answering(500, ''))(commandOf({ ...BODY, ...more }))
        expect(counted).toBeGreaterThan(0)
      },
    )

    test('fails with the message of a vendor that has lost the thread', async () => {
      const errorBody = JSON.stringify({
        type: 'error',
        error: { type: 'not_found_error', message: 'no such thread' },
      })
      const counting = countWith(answering(404, errorBody))(commandOf({ ...BODY, thread }))
      await expect(counting).rejects.toMatchObject({ code: 'invalid_parameter', message: 'no such thread' })
    })

    test('fails with the machine-readable fields of the vendor error', async () => {
      const details = { error_code: 'thread_already_continued' }
      const errorBody = JSON.stringify({ type: 'error', error: { type: 'x', message: 'gone', details } })
      const counting = countWith(answering(400, errorBody))(commandOf({ ...BODY, thread }))
      await expect(counting).rejects.toMatchObject({ message: 'gone', details })
    })
  })
})
