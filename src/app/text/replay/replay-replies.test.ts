import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { createSecrets } from '../../../adapters/system/secrets.ts'
import { type EmbeddingsBody, HeavyEmbeddings, LightEmbeddings } from '../contract/embeddings-body.ts'
import type { RunHeavy } from '../contract/heavy-runner.ts'
import { wantedOf } from './replay-replies.ts'

/** Returns the text that the main thread digests for a body. */
async function digestedOf(body: EmbeddingsBody): Promise<string | undefined> {
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
  await wantedOf({ ...command, body }, 'k', noted)
  return texts.find((text) => text.startsWith('text body '))
}

test('a light body is digested unchanged', async () => {
  const bytes = Buffer.from('{"model":"own/embed","input":"a"}')
  expect(await digestedOf(new LightEmbeddings(bytes, {}))).toBe(
    `text body embeddings ${bytes.toString('latin1')}`,
  )
})

test('the digest of a heavy body is made of the hash from another thread', async () => {
  const facts = { model: 'own/embed', inputTokens: 1, length: 1 }
  const run = (async (name: string) => `${name} of it`) as unknown as RunHeavy
  expect(await digestedOf(new HeavyEmbeddings(facts, run))).toBe('text body embeddings digest of it')
})
