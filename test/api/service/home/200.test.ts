import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('needs no key, and links to the documentation and the models', async () => {
    const answer = await fetch(`${edge.url}/`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ name: 'Sluice', links: { docs: '/docs', models: '/v1/models' } })
  })

  test('HEAD, with which an agent looks for us, has no body', async () => {
    const answer = await fetch(`${edge.url}/`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
  })

  test('a browser gets a page that loads and runs nothing, and whose links lead somewhere', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const answer = await fetch(`${edge.url}/`, { headers: { accept } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('vary')).toBe('Accept')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect(policy).not.toContain('unsafe')
    const page = await answer.text()
    expect(page).not.toMatch(/<script|<img|https?:/)
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link)
    expect(links).toEqual(['/docs', '/console', '/readyz', '/openapi.json'])
    for (const link of links) expect((await fetch(`${edge.url}${link}`)).status).toBeLessThan(405)
  })

  test('programs get JSON, whatever else they take', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
      const answer = await fetch(`${edge.url}/`, { headers: { accept } })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('vary')).toBe('Accept')
    }
  })

  test('its links lead somewhere', async () => {
    const { links } = Object(await (await fetch(`${edge.url}/`)).json())
    expect((await fetch(`${edge.url}${links.docs}`)).status).toBe(200)
    expect((await fetch(`${edge.url}${links.models}`)).status).toBe(401)
  })
})
