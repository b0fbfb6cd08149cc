import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signMessage } from '../../../../src/adapters/callbacks/send-callback.ts'
import { ERRORS } from '../../../../src/domain/errors.ts'
import { json } from '../../../../src/domain/json/json-schema.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { docsOperations } from '../../../../src/http/operations/docs-page/operation.ts'
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

/** Pages by name; `index` is the one at `/docs`. */
const pages = new Map<string, { html: string; markdown: string; headers: Headers }>()
let edge: Edge
let list: string
/** All pages as one text. */
let everything: string

beforeAll(async () => {
  edge = await startEdge({ operations: docsOperations(() => [...OPERATIONS, HOSTILE, HIDDEN]) })
  list = await (await fetch(`${edge.url}/llms.txt`)).text()
  for (const [, name = ''] of list.matchAll(/\(\/docs\/([\w-]+)\.md\)/g)) {
    const [html, markdown] = await Promise.all([
      fetch(`${edge.url}/docs${name === 'index' ? '' : `/${name}`}`),
      fetch(`${edge.url}/docs/${name}.md`),
    ])
    expect([html.status, markdown.status]).toEqual([200, 200])
    pages.set(name, { html: await html.text(), markdown: await markdown.text(), headers: html.headers })
  }
  everything = [...pages.values()].map(({ html }) => html).join('\n')
})

afterAll(() => edge.close())

const shown = () => OPERATIONS.filter(({ undocumented }) => !undocumented)
const indexPage = () => pages.get('index')?.html ?? ''

function unescaped(text: string): string {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => marks[name] ?? '')
}

describe('GET /docs, GET /docs/:page and GET /llms.txt', () => {
  it('answer the index with a slash at the end too', async () => {
    const answer = await fetch(`${edge.url}/docs/`)
    expect([answer.status, await answer.text()]).toEqual([200, indexPage()])
  })

  it('show every documented operation on one page, with an entry in the contents of all', () => {
    for (const { id, path, summary } of shown()) {
      const [page, ...others] = [...pages.entries()].filter(([, { html }]) =>
        html.includes(`<article id="${id}"`),
      )
      expect(others).toEqual([])
      const title = summary.replace("'", '&#39;')
      for (const { html } of pages.values()) {
        expect(html).toMatch(
          new RegExp(
            `<li><a href="/docs/${page?.[0]}#${id}"[^>]*>${title.replaceAll(/[?()]/g, '\\$&')}</a></li>`,
          ),
        )
      }
      expect(page?.[1].html).toContain(`<code>${path}</code>`)
      expect(page?.[1].markdown).toContain(`## ${summary}\n\n`)
      expect(indexPage()).toContain(`<li id="${id}"><a href="/docs/${page?.[0]}#${id}">${title}</a>`)
    }
    expect(everything).toContain('curl &quot;$SLUICE_URL/v1/video/generations&quot;')
    expect(everything).toContain('data[].completed_at')
    expect(everything).toContain('<h4>Headers</h4>')
    expect(everything).toContain('<code>Idempotency-Key</code>')
    expect(everything).toContain('array of object, 1 to 128 items')
    expect(everything).toContain('integer, 4 to 86400')
    expect(everything).not.toContain('/hidden')
  })

  it('have operations about videos, text and media on the page of their kind', () => {
    const pageOf = (id: string) =>
      [...pages].find(([, { html }]) => html.includes(`<article id="${id}"`))?.[0]
    const kinds = Map.groupBy(shown(), ({ id }) => pageOf(id))
    const placesOf = (page: string) => [
      ...new Set(kinds.get(page)?.map(({ path }) => path.split('/').slice(0, 3).join('/'))),
    ]
    expect(placesOf('text')).toEqual([...['/v1/messages', '/v1/responses', '/v1/chat', '/v1/embeddings']])
    expect(placesOf('video')).toEqual([
      ...['/v1/video', '/v1/media', '/v1/provenance', '/v1/videos', '/api/v3'],
    ])
    expect(kinds.get('service')?.filter(({ access }) => access === 'api-key')).toMatchObject([{ id: 'mcp' }])
  })

  it('keep each page short', () => {
    for (const [name, { html, markdown }] of pages) {
      expect(html.match(/<article/g)?.length ?? 0, name).toBeLessThan(30)
      expect(markdown.length, name).toBeLessThan(100_000)
    }
  })

  it('have an anchor for every error code, and one on the index for older links', () => {
    for (const code of Object.keys(ERRORS)) {
      expect(pages.get('errors')?.html).toContain(`<div id="error-${code}"`)
      expect(indexPage()).toContain(`<li id="error-${code}"><a href="/docs/errors#error-${code}"`)
      expect(pages.get('errors')?.markdown).toContain(`- \`${code}\`: `)
    }
  })

  it('have no link to an anchor that is not there, and no anchor twice', () => {
    const anchors = [...pages].map(([name, { html }]) => {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      return [name, new Set(ids)] as const
    })
    const known = new Map(anchors)
    for (const [here, { html }] of pages) {
      for (const [, place = '', anchor] of html.matchAll(/href="(\/docs[^"#]*|)(?:#([^"]+))?"/g)) {
        const page = place === '' ? here : place === '/docs' ? 'index' : place.replace(/^\/docs\/|\.md$/g, '')
        expect(known.has(page), place).toBe(true)
        if (anchor !== undefined) expect(known.get(page), `${place}#${anchor}`).toContain(anchor)
      }
    }
  })

  it('escape everything', () => {
    for (const { html } of pages.values())
      expect(html.replace(/<script>[\s\S]*?<\/script>\n<\/body>/, '')).not.toMatch(/<script|<img|<b>|<i>|<u>/)
    expect(pages.get('text')?.html).toContain('&lt;script&gt;alert(2)&lt;/script&gt;')
  })

  it('need nothing from anywhere else', () => {
    for (const { html, headers } of pages.values()) {
      // Examples name addresses; a browser does not follow them.
      const withoutExamples = html.replaceAll(/<code>.*?<\/code>| title="[^"]*"/gs, '')
      expect(withoutExamples).not.toMatch(/<[^>]*\s(?:src|srcset|action|style|on\w+)=|@import|url\(|https:/)
      for (const [, target = ''] of html.matchAll(/href="([^"]+)"/g))
        expect(target).toMatch(/^(#|\/docs(\/[\w-]+(\.md)?)?(#|$)|\/openapi\.json$|\/llms\.txt$)/)
      const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
      const [, script = ''] = /<script>([\s\S]*?)<\/script>\n<\/body>/.exec(html) ?? []
      expect(script).not.toMatch(/innerHTML|insertAdjacent|document\.write|eval|fetch|import|XMLHttp/)
      const [ofStyle, ofScript] = [style, script].map((one) =>
        createHash('sha256').update(one).digest('base64'),
      )
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'sha256-${ofScript}'; style-src 'sha256-${ofStyle}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(html).toMatch(/^<!doctype html>/)
    }
  })

  it('are Markdown with .md behind the name, and a list of pages for agents', async () => {
    const markdown = await fetch(`${edge.url}/docs/video.md`)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const text = await markdown.text()
    expect(text).toMatch(/^# Video\n\n/)
    expect(text).toContain('\n| Field | Type | Meaning |\n|---|---|---|\n')
    expect(text).toContain('```python\nimport json, os, urllib.request\n')
    expect((await fetch(`${edge.url}/llms.txt`)).headers.get('content-type')).toBe(
      'text/plain; charset=utf-8',
    )
    expect(list).toMatch(/^# Sluice\n\n> [^\n]+\n\n[^\n]+\n\n## Clients\n\n- \[/)
    for (const line of list.split('\n').filter((one) => one.startsWith('- ')))
      expect(line).toMatch(/^- \[[^\]]+\]\(\/[\w./-]+\): \S[^\n]*\.$/)
    expect([...pages.keys()]).toEqual([
      ...['index', 'text', 'video', 'assets', 'account', 'callbacks', 'errors'],
      ...['admin-customers', 'admin-money', 'admin-media', 'admin-gateway', 'service'],
    ])
  })

  it('answer 404 for a page that is not there', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/video.txt',
      '/docs/.md',
      '/docs/llms.txt',
      '/docs/%2Fllms.txt',
    ]) {
      const answer = await fetch(`${edge.url}${path}`)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
    }
  })

  it('say where the value of every path parameter comes from', () => {
    for (const { id, path } of shown().filter(({ path, id }) => path.includes(':') && id !== 'docsPage')) {
      const [, article = ''] = new RegExp(`<article id="${id}"(.*?)</article>`, 's').exec(everything) ?? []
      const explained = [...article.matchAll(/<p>(?:Replace )?<code>[\w.%-]+<\/code>[.:] \w/g)]
      expect(explained.length, id).toBe(path.split(':').length - 1)
    }
  })

  it('show examples in three languages, each of which can be parsed', () => {
    const codeOf = (language: string) =>
      [
        ...everything.matchAll(
          new RegExp(`<div class="code in-${language}"><pre tabindex="0"><code>(.*?)</code>`, 'gs'),
        ),
      ].map(([, code = '']) => unescaped(code))
    const [curl, typescript, python] = [codeOf('curl'), codeOf('typescript'), codeOf('python')]
    expect(curl.length).toBe(shown().length + 2)
    expect([typescript.length, python.length]).toEqual([curl.length, curl.length])
    for (const code of typescript.filter((one) => !one.includes('onerror'))) {
      const AsyncFunction = (async () => {}).constructor
      expect(() => AsyncFunction(stripTypeScriptTypes(code)), code).not.toThrow()
    }
    const check = 'import sys, json\nfor code in json.load(sys.stdin): compile(code, code, "exec")'
    execFileSync('python3', ['-c', check], { input: JSON.stringify(python), timeout: 30_000 })
  })

  it('show answers as they look, and code that checks the signature of a callback', async () => {
    expect(everything).toMatch(
      /<\/table><\/div><div class="code"><pre tabindex="0"><code>\{\n {2}&quot;id&quot;:/,
    )
    const callbacks = pages.get('callbacks')?.html ?? ''
    const [, code = ''] = /<code>(import \{ createHmac[\s\S]*?)<\/code>/.exec(callbacks) ?? []
    const [, python = ''] = /<code>(import base64[\s\S]*?)<\/code>/.exec(callbacks) ?? []
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(unescaped(code))}`)
    const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
    const message = { id: 'msg_1', atMs: Date.now(), body: '{"prompt":"ü"}' }
    const signed = signMessage({ ...message, secrets })
    const old = signMessage({ ...message, atMs: Date.now() - 600_000, secrets })
    const rows: [headers: object, body: string, secret: string | undefined, genuine: boolean][] = [
      ...secrets.map((secret) => [signed, message.body, secret, true] as [object, string, string, boolean]),
      [signed, '{}', secrets[0], false],
      [{}, message.body, secrets[0], false],
      [old, message.body, secrets[0], false],
    ]
    for (const [headers, body, secret, genuine] of rows)
      expect(isGenuine(headers, Buffer.from(body), secret)).toBe(genuine)
    const run = `${unescaped(python)}
import json, sys
print(json.dumps([is_genuine(h, b.encode(), s) for h, b, s, _ in json.load(sys.stdin)]))`
    const verdicts = execFileSync('python3', ['-c', run], { input: JSON.stringify(rows), timeout: 30_000 })
    expect(JSON.parse(String(verdicts))).toEqual(rows.map(([, , , genuine]) => genuine))
  })
})
