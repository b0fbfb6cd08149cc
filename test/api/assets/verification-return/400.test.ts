import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { SESSIONS_PATH, visit } from '../call-assets.ts'

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test.each([
    ['400, an address that cannot be read', '%zz', 400],
    ['414, an address that is too long', `x?${'y'.repeat(9_000)}`, 414],
  ])('%s: a page too', async (_name, rest, expected) => {
    const { status, headers, text } = await visit(`${api.url}${SESSIONS_PATH}/return/${rest}`, {
      'accept-language': 'zh-TW',
    })
    expect(status).toBe(expected)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(text).toContain(WORDS['zh-Hant'].problems.unknown.title)
  })
})
