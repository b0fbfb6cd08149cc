import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { createSecrets } from '../../../adapters/system/secrets.ts'
import { LIGHT_BYTES_MAX } from '../../../domain/json/parse-json.ts'
import { wantedOf } from './replay-replies.ts'

/** What the main thread digests of a body of so many bytes. */
async function digestedOf(length: number): Promise<{ digested: string; bytes: Buffer }> {
  const start = '{"model":"own/embed","input":"'
  const bytes = Buffer.from(`${start}${'x'.repeat(length - start.length - 2)}"}`)
  const secrets = createSecrets('a secret of the tests, long enough')
  const texts: string[] = []
  const noted = {
    ...secrets,
    digest(text: string) {
      texts.push(text)
      return secrets.digest(text)
    },
  }
  const command = { endpoint: 'embeddings', requestId: 'req_1', caller: CALLER, idempotencyKey: 'k' } as const
  await wantedOf({ ...command, body: { bytes, value: {} } }, 'k', noted)
  return { digested: texts.find((text) => text.startsWith('text body ')) ?? '', bytes }
}

test('a body for embeddings up to LIGHT_BYTES_MAX is digested as it is', async () => {
  const { digested, bytes } = await digestedOf(LIGHT_BYTES_MAX)
  expect(digested === `text body embeddings ${bytes.toString('latin1')}`).toBe(true)
})

test('of a longer one only its hash is digested, as of a heavy body', async () => {
  const { digested, bytes } = await digestedOf(LIGHT_BYTES_MAX + 1)
  expect(digested).toBe(`text body embeddings ${createHash('sha256').update(bytes).digest('hex')}`)
})
