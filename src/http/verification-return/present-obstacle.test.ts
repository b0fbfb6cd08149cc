import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSIONS_PATH, visit } from '../../../test/assets/call-assets.ts'
import { type Edge, startEdge } from '../../../test/edge/start-edge.ts'
import { WORDS } from './words.ts'

describe('while load is shed', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ limits: { inFlightMax: 0 } })
  })
  afterAll(() => edge.close())

  test('a browser that comes back is asked for patience in a page', async () => {
    const { status, headers, text } = await visit(`${edge.url}${SESSIONS_PATH}/return/x`)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(WORDS.en.obstacles.unavailable.title)
  })
})
