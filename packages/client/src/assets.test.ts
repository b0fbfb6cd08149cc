import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test('assets.wait ends a hanging request when its signal is aborted', async () => {
  const stop = new AbortController()
  const hang = (_url: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      stop.abort(new Error('no longer wanted'))
    })
  const client = createClient({ baseUrl: 'http://a', apiKey: 'k', fetch: hang })
  await expect(client.assets.wait('asset_1', { signal: stop.signal })).rejects.toThrow('no longer wanted')
})
