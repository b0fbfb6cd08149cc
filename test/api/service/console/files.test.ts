import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConsoleFiles } from '../../../../src/adapters/system/console-files.ts'
import { sendRaw } from '../../http-edge/raw-connection.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const INDEX =
  '<!doctype html><title>Sluice console</title><script type="module" src="/console/assets/a-1.js"></script>'
const SCRIPT = 'export const a = 1\n'.repeat(50)

let edge: Edge
let folder: string
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'sluice-console-')), 'dist')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), INDEX)
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(INDEX))
  writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets/b-2.css'), 'a{}')
  writeFileSync(join(folder, 'manifest.json'), '{"of":"the build"}')
  writeFileSync(join(folder, '../secret.html'), 'not for browsers')
  edge = await startEdge({ consoleFiles: openConsoleFiles(folder) })
})
afterAll(async () => {
  await edge.close()
  rmSync(join(folder, '..'), { recursive: true })
})

const get = (path: string, init: RequestInit = {}) => fetch(`${edge.url}${path}`, init)
/** Sends the address unchanged and does not decode the answer, unlike `fetch`. */
async function raw(target: string, headers = '', method = 'GET') {
  const [answer] = await sendRaw(
    edge.port,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`,
  )
  if (answer === undefined) throw new Error('no answer')
  return answer
}

describe('GET /console', () => {
  test.each(['/console', '/console/', '/console/index.html', '/console/video/task_1', '/console/money?x=1'])(
    '200 at %s: the first page, asked for anew each time',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toBe(INDEX)
    },
  )

  test('clickjacking: 200 whose headers allow no frame, nothing from elsewhere and nothing inline', async () => {
    for (const path of ['/console', '/console/assets/a-1.js']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).not.toMatch(/unsafe|http|\*/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('200 for a file with a digest in its name: kept for a year', async () => {
    const answer = await get('/console/assets/a-1.js')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toBe(SCRIPT)
    expect((await get('/console/assets/b-2.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  test.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5', 'br'],
    ['BR', 'br'],
    ['br;q=0', undefined],
    ['br; q=0.000', undefined],
    ['gzip', undefined],
    ['brotli', undefined],
    ['', undefined],
  ])('200 with Accept-Encoding %o is sent as %s', async (accepted, encoding) => {
    const { headers } = await raw('/console/assets/a-1.js', `Accept-Encoding: ${accepted}\r\n`)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toBe('Accept-Encoding')
    const bytes = encoding === 'br' ? brotliCompressSync(SCRIPT).length : SCRIPT.length
    expect(headers['content-length']).toBe(String(bytes))
  })

  test('200 plain where the build made no smaller file', async () => {
    const { headers, body } = await raw('/console/assets/b-2.css', 'Accept-Encoding: br\r\n')
    expect(headers['content-encoding']).toBeUndefined()
    expect(body).toBe('a{}')
  })

  test.each(['/console', '/console/assets/a-1.js'])('304 at %s for what the browser has', async (path) => {
    const { headers } = await raw(path)
    const etag = headers.etag ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await raw(path, `If-None-Match: ${known}\r\n`)
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(again.headers.etag).toBe(etag)
    }
    expect((await raw(path, 'If-None-Match: "x"\r\n')).status).toBe(200)
    const smaller = await raw(path, 'Accept-Encoding: br\r\n')
    expect(smaller.headers.etag).not.toBe(etag)
  })

  test.each(['/console', '/console/', '/console/assets/a-1.js'])(
    'HEAD 200 at %s has no body',
    async (path) => {
      const whole = await raw(path)
      const head = await raw(path, '', 'HEAD')
      expect(head).toMatchObject({ status: 200, body: '' })
      expect(head.headers['content-length']).toBe(whole.headers['content-length'])
      expect(head.headers.etag).toBe(whole.headers.etag)
    },
  )

  test.each([
    '/console/assets/none.js',
    '/console/assets/',
    '/console/assets/a-1.js/x.js',
    '/console/assets/a-1.js.br',
    '/console/manifest.json',
    '/console/none.js',
    '/console/.env',
    '/console/assets/%00a-1.js',
    '/console/../secret.html',
    '/console/..%2fsecret.html',
    '/console/%2e%2e/secret.html',
    '/console/%2e%2e%2fsecret.html',
    '/console/..%5csecret.html',
    '/console/assets/../../secret.html',
    '/console/assets/..%2f..%2fsecret.html',
    '/console/assets/%252e%252e%252fsecret.html',
    '/console//secret.html',
    '/console/%c0%ae%c0%ae/secret.html',
    '/console/%zz.js',
  ])('%s gives no file', async (target) => {
    const answer = await raw(target)
    expect([400, 404]).toContain(answer.status)
    expect(answer.body).not.toContain('not for browsers')
    expect(answer.body).not.toContain('the build')
  })

  test.each([
    '/console/../../../etc/passwd',
    '/console/..%2f..%2fetc%2fpasswd',
    '/console/%00',
    '/console/a%0d%0ab',
  ])('%s gives the first page or nothing', async (target) => {
    const answer = await raw(target)
    expect([200, 400, 404]).toContain(answer.status)
    if (answer.status === 200) expect(answer.body).toBe(INDEX)
  })

  test('405 for a change', async () => {
    for (const path of ['/console', '/console/', '/console/assets/a-1.js', '/console/sign-in']) {
      const answer = await get(path, { method: 'POST' })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  test('200 with the files of a build that was made meanwhile', async () => {
    writeFileSync(join(folder, 'assets/c-3.js'), 'later')
    await expect.poll(async () => (await get('/console/assets/c-3.js')).status).toBe(200)
  })
})

test('404 with a page that explains, where the console was not built', async () => {
  const bare = await startEdge({ consoleFiles: openConsoleFiles(join(folder, 'none')) })
  for (const path of ['/console', '/console/', '/console/money']) {
    const answer = await fetch(`${bare.url}${path}`)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toContain('npm ci')
  }
  await bare.close()
})

test('200 with a page that explains, where ADMIN_API_KEY is unset, and no file', async () => {
  const off = await startEdge({ admin: undefined, consoleFiles: openConsoleFiles(folder) })
  for (const path of ['/console', '/console/', '/console/assets/a-1.js']) {
    const answer = await fetch(`${off.url}${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const text = await answer.text()
    // An installed package has no `npm start`.
    expect(text).toContain('ADMIN_API_KEY=$(openssl rand -hex 16) npx sluice<')
    expect(text).not.toContain('<script')
  }
  await off.close()
})
