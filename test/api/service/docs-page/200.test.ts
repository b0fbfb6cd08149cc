import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signMessage } from '../../../../src/adapters/callbacks/send-callback.ts'
import { ERRORS } from '../../../../src/domain/errors.ts'
import { json } from '../../../../src/domain/json/json-schema.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { docsPageOperation } from '../../../../src/http/operations/docs-page/operation.ts'
import { OPERATIONS } from '../../../../src/http/routes.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const HOSTILE: Operation = {
  id: 'hostile"><script>',
  method: 'POST',
  path: '/v1/<img src=x onerror=alert(1)>/:id',
  area: 'messages',
  access: 'api-key',
  summary: '<script>alert(2)</script>',
  description: 'A `<script>` & "more"',
  query: { '<b>': { schema: json.string(), description: '<script>' } },
  headers: { '<em>': { schema: json.string(), description: '<script>' } },
  body: { schema: json.object({ '<i>': json.string({ description: '</style><script>' }) }), limitBytes: 1 },
  replies: { 200: { description: '<script>', schema: json.object({ '<u>': json.literal('<script>') }) } },
  handle: () => () => {},
}

const HIDDEN: Operation = { ...HOSTILE, id: 'hidden', path: '/hidden', undocumented: true }

let edge: Edge
let page: string
let headers: Headers

beforeAll(async () => {
  edge = await startEdge({ operations: [docsPageOperation(() => [...OPERATIONS, HOSTILE, HIDDEN])] })
  const response = await fetch(`${edge.url}/docs`)
  headers = response.headers
  page = await response.text()
})

afterAll(() => edge.close())

describe('GET /docs', () => {
  it('shows every documented operation, with an entry in the contents and an example', () => {
    for (const { id, path, summary } of OPERATIONS.filter(({ undocumented }) => !undocumented)) {
      expect(page).toContain(`<article id="${id}"`)
      expect(page).toContain(`<li><a href="#${id}">${summary.replace("'", '&#39;')}</a></li>`)
      expect(page).toContain(`<code>${path}</code>`)
    }
    expect(page).toContain('curl &quot;$SLUICE_URL/v1/video/generations&quot;')
    expect(page).toContain('data[].completed_at')
    expect(page).toContain('<h4>Headers</h4>')
    expect(page).toContain('<code>Idempotency-Key</code>')
    expect(page).toContain('array of object, 1 to 128 items')
    expect(page).toContain('integer, 4 to 86400')
    expect(page).not.toContain('/hidden')
  })

  it('has an anchor for every error code', () => {
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`id="error-${code}"`)
  })

  it('has no link to an anchor that is not there, and no anchor twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  it('escapes everything', () => {
    expect(page.replace(/<script>[\s\S]*?<\/script>\n<\/body>/, '')).not.toMatch(/<script|<img|<b>|<i>|<u>/)
    expect(page).toContain('&lt;script&gt;alert(2)&lt;/script&gt;')
  })

  it('needs nothing from anywhere else', () => {
    // Examples name addresses; a browser does not follow them.
    const withoutExamples = page.replaceAll(/<code>.*?<\/code>/gs, '')
    expect(withoutExamples).not.toMatch(/<[^>]*\s(?:src|srcset|action|style|on\w+)=|@import|url\(|https:/)
    for (const [, target = ''] of page.matchAll(/href="([^"]+)"/g))
      expect(target).toMatch(/^(#|\/openapi\.json$)/)
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const [, script = ''] = /<script>([\s\S]*?)<\/script>\n<\/body>/.exec(page) ?? []
    expect(script).not.toMatch(/innerHTML|insertAdjacent|document\.write|eval|fetch|import|XMLHttp/)
    const [ofStyle, ofScript] = [style, script].map((one) =>
      createHash('sha256').update(one).digest('base64'),
    )
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'sha256-${ofScript}'; style-src 'sha256-${ofStyle}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  it('is HTML and says so', () => {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(page).toMatch(/^<!doctype html>/)
  })

  it('shows answers as they look, and code that checks the signature of a callback', async () => {
    expect(page).toMatch(/<summary>Example<\/summary><pre tabindex="0"><code>\{\n {2}&quot;id&quot;:/)
    const [, code = ''] = /<code>(import \{ createHmac[\s\S]*?)<\/code>/.exec(page) ?? []
    const plain = code
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
    const { isGenuine } = await import(
      `data:text/javascript,${encodeURIComponent(plain.replaceAll('&amp;', '&'))}`
    )
    const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
    const message = { id: 'msg_1', atMs: Date.now(), body: '{"prompt":"ü"}' }
    const signed = signMessage({ ...message, secrets })
    for (const secret of secrets) expect(isGenuine(signed, Buffer.from(message.body), secret)).toBe(true)
    expect(isGenuine(signed, Buffer.from('{}'), secrets[0])).toBe(false)
    expect(isGenuine({}, Buffer.from(message.body), secrets[0])).toBe(false)
    const old = signMessage({ ...message, atMs: Date.now() - 600_000, secrets })
    expect(isGenuine(old, Buffer.from(message.body), secrets[0])).toBe(false)
  })
})
