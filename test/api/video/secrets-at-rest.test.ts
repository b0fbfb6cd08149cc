import { expect, onTestFinished, test } from 'vitest'
import { clientOf, textBody, textBodyB } from './call-api.ts'
import { startVideoApi } from './start-video-api.ts'

/** A reader of the rows alone can neither open a video, nor ask a vendor, nor call a client. */
test('tickets, links, callback addresses and notice tokens are not readable in the store', async () => {
  const api = await startVideoApi({ noticeBaseUrl: 'https://gateway.example' })
  onTestFinished(() => api.close())
  const client = clientOf(api, api.tenant)
  const callback = { callback_url: 'https://client.example/canary' }
  for (const body of [textBody('[instant]', callback), textBodyB('[instant]', callback)]) {
    const id = await client.make(body)
    const { body: done } = await client.get(id)
    expect(done).toMatchObject({ status: 'succeeded' })
    const stored = JSON.stringify(await api.store.tasks.findWhole(id))
    expect(stored).toContain(id)
    // Every ticket of the sandbox begins with `cgt-WzE`, which is too long to appear in an encrypted text by chance.
    expect(stored).not.toMatch(/cgt-WzE|\/clips\/|client\.example|https?:\/\//)
  }
  expect(JSON.stringify(api.lines)).not.toMatch(/cgt-|clips|client\.example|token=/)
})
