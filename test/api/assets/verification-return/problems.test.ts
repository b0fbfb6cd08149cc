import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'
import { SESSIONS_PATH, visit } from '../call-assets.ts'

describe('while load is shed', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ limits: { inFlightMax: 0 } })
  })
  afterAll(() => edge.close())

  test('a returning browser gets a page that asks for patience', async () => {
    const { status, headers, text } = await visit(`${edge.url}${SESSIONS_PATH}/return/x`)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(WORDS.en.problems.unavailable.title)
  })
})
