import { expect, onTestFinished, test } from 'vitest'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { startVideoApi } from '../../video/start-video-api.ts'
import { assetClientOf, visit } from '../call-assets.ts'

test('GET /v1/video/assets/sessions/return/{state}: a fault of our own is a page too, and a line in the log', async () => {
  const fail = () => Promise.reject(new Error('a fault of ours'))
  const api = await startVideoApi({
    around: (store) => ({ ...store, verifications: { ...store.verifications, find: fail } }),
  })
  onTestFinished(() => api.close())
  const { status, headers, text } = await visit(await assetClientOf(api, api.tenant).scan())
  expect(status).toBe(500)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain(WORDS.en.problems.unavailable.title)
  expect(text).not.toContain('fault')
  expect(api.lines).toContainEqual(expect.objectContaining({ level: 'error', event: 'request.failed' }))
})
