import { expect, onTestFinished, test } from 'vitest'
import type { VerificationReturn } from '../../../../src/app/verification/return-from-verification.ts'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { readUntil } from '../../http-edge/read-until.ts'
import { startEdge } from '../../http-edge/start-edge.ts'
import { SESSIONS_PATH, visit } from '../call-assets.ts'

const BROWSER = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'zh-TW' }
const HOSTILE = 'https://client.example/?a=1&b="><script>alert(1)</script>'

/** A visit that waits for the vendor until `end` is resolved or rejected. */
async function comeBack(headers: Record<string, string>) {
  const { promise, ...end } = Promise.withResolvers<VerificationReturn>()
  const edge = await startEdge({ app: memoryApp({ returnFromVerification: () => promise }) })
  onTestFinished(() => edge.close())
  const url = `${edge.url}${SESSIONS_PATH}/return/x`
  return { url, end, coming: fetch(url, { redirect: 'manual', headers }) }
}

async function readPage(coming: Promise<Response>) {
  const answer = await coming
  return { answer, until: readUntil(answer) }
}

test('GET return 200: a browser sees a page during the vendor call, and is then redirected', async () => {
  const { coming, end } = await comeBack(BROWSER)
  const { answer, until } = await readPage(coming)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await until('</main>')).toContain(WORDS['zh-Hant'].waiting.title)
  end.resolve({ kind: 'redirect', url: HOSTILE })
  const text = await until('</html>')
  expect(text).toContain(
    '<meta http-equiv="refresh" content="0;url=https://client.example/?a=1&amp;b=&quot;&gt;',
  )
  expect(text).toContain(WORDS['zh-Hant'].onward)
  expect(text).not.toContain('<script>')
})

test.each([
  ['used', (end: PromiseWithResolvers<VerificationReturn>) => end.resolve({ kind: 'used', language: 'en' })],
  ['unavailable', (end: PromiseWithResolvers<VerificationReturn>) => end.reject(new Error('oops'))],
] as const)('GET return 200: a page that has begun ends as %s', async (kind, finish) => {
  const { coming, end } = await comeBack({ ...BROWSER, 'accept-language': 'en' })
  const { until } = await readPage(coming)
  await until('</main>')
  finish(end as PromiseWithResolvers<VerificationReturn>)
  const text = await until('</html>')
  expect(text).toContain(WORDS.en.problems[kind].title)
  expect(text.includes('<meta http-equiv="refresh" content="5;url=?try=1">')).toBe(kind === 'unavailable')
})

test('GET return 302: a program waits for the redirect itself, and so does a browser where the vendor is quick', async () => {
  const slow = await comeBack({})
  await new Promise((resolve) => setTimeout(resolve, 800))
  slow.end.resolve({ kind: 'redirect', url: 'https://client.example/' })
  expect((await slow.coming).status).toBe(302)
  const edge = await startEdge()
  onTestFinished(() => edge.close())
  expect(await visit(`${edge.url}${SESSIONS_PATH}/return/x`, BROWSER)).toMatchObject({
    status: 302,
    location: 'https://client.example/',
  })
})
