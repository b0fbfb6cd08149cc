import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textClientOf } from './call-text.ts'
import { DIALECTS } from './dialects.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

let usual: TextApi
let bounded: TextApi
// Each gateway starts in a hook of its own, because a hook has a time limit.
beforeAll(async () => {
  usual = await startTextApi()
})
beforeAll(async () => {
  bounded = await startTextApi({ environment: { BODY_LIMIT_BYTES: '2048' } })
})
afterAll(() => usual.close())
afterAll(() => bounded.close())

describe.each(DIALECTS)('$operation 413', ({ ask, expectError, tooLarge }) => {
  test('a body of more than 32 MiB', async () => {
    const answer = await ask(textClientOf(usual, usual.tenant), 'x'.repeat(32 * 1024 * 1024))
    expectError(answer, { status: 413, ...tooLarge })
  })

  test('a body of more bytes than BODY_LIMIT_BYTES', async () => {
    const client = textClientOf(bounded, bounded.tenant)
    expect(await ask(client, 'x'.repeat(1_500))).toMatchObject({ status: 200 })
    expectError(await ask(client, 'x'.repeat(2_048)), { status: 413, ...tooLarge })
  })
})
