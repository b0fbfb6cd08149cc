import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('needs no key and shows the way', async () => {
    const answer = await fetch(`${edge.url}/`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ name: 'Sluice', links: { docs: '/docs', models: '/v1/models' } })
  })

  test('HEAD, with which an agent looks for us, has no body', async () => {
    const answer = await fetch(`${edge.url}/`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
  })

  test('its links lead somewhere', async () => {
    const { links } = Object(await (await fetch(`${edge.url}/`)).json())
    expect((await fetch(`${edge.url}${links.docs}`)).status).toBe(200)
    expect((await fetch(`${edge.url}${links.models}`)).status).toBe(401)
  })
})
