import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { assetClientOf, SESSIONS_PATH, visit } from '../call-assets.ts'

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test.each([
    'x',
    'x'.repeat(43),
    'x'.repeat(44),
    'x'.repeat(5_000),
    '%00',
    '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    '..%2F..',
  ])('the state %s was never made', async (state) => {
    const { status, headers, location, text } = await visit(
      `${api.url}${SESSIONS_PATH}/return/${state}?resultCode=10000&next=https://evil.example`,
    )
    expect({ status, location }).toEqual({ status: 404, location: null })
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(text).toContain(WORDS.en.problems.unknown.title)
    expect(text).not.toMatch(/<script|evil|xxx/)
  })

  test.each(['', '/', '/x/y', '//', '/?resultCode=%', '/x?%=%&resultCode=%zz&a[=%00'])(
    'is a page for any last part of the path: %s',
    async (rest) => {
      const { status, headers, text } = await visit(`${api.url}${SESSIONS_PATH}/return${rest}`)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(text).toContain(WORDS.en.problems.unknown.title)
    },
  )

  test.each(['POST', 'DELETE'])('%s is for programs, which get our envelope', async (method) => {
    const answer = await fetch(`${api.url}${SESSIONS_PATH}/return/x`, { method })
    expect(answer.status).toBe(405)
    expect(await answer.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
  })

  test('a state with one changed letter is unknown', async () => {
    const back = new URL(await assetClientOf(api, api.tenant).scan())
    const last = back.pathname.at(-1)
    back.pathname = back.pathname.slice(0, -1) + (last === 'A' ? 'B' : 'A')
    expect(await visit(back.href)).toMatchObject({ status: 404, location: null })
  })

  test.each([
    ['zh-CN,zh;q=0.9', 'zh'],
    ['zh-TW', 'zh-Hant'],
    ['fr', 'en'],
  ] as const)('speaks to %s in %s', async (accepted, language) => {
    const { text } = await visit(`${api.url}${SESSIONS_PATH}/return/x`, { 'accept-language': accepted })
    expect(text).toContain(`<html lang="${WORDS[language].tag}">`)
    expect(text).toContain(WORDS[language].problems.unknown.text)
  })
})
