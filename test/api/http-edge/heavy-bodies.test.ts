import { countValues } from '@sluice/dialects/json/json-bounds'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX } from '@sluice/dialects/json/parse-json'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import type { TextCommand } from '../../../src/app/text/contract/text-command.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { BODY_SHAPES } from '../text/body-shapes.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { startEdge } from './start-edge.ts'

const PATHS = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  count: '/v1/messages/count_tokens',
} as const

describe('a body that the main thread parses', () => {
  test.each([4 * 1024, LIGHT_BYTES_MAX - 1024, 2 * LIGHT_BYTES_MAX])(
    'is bounded in bytes and in values, for every shape of %i bytes',
    async (bytes) => {
      const light: TextCommand[] = []
      let heavy = 0
      const take: App['answerText'] = async (command) => {
        light.push(command)
        throw new ApiError('model_not_found')
      }
      const readHeavyBody: App['readHeavyBody'] = async (body) => {
        heavy += 1
        const bounds = { depthMax: 64, valuesMax: LIGHT_VALUES_MAX, nul: 'pass' } as const
        const values = countValues(body.bytes, bounds)
        expect(body.bytes.length > LIGHT_BYTES_MAX || values > LIGHT_VALUES_MAX).toBe(true)
        throw new ApiError('model_not_found')
      }
      const app = memoryApp({
        answerText: take,
        countTokens: (command) => take(command, NO_SINK).then(() => 0),
        readHeavyBody,
      })
      const edge = await startEdge({ app })
      onTestFinished(() => edge.close())
      for (const shape of BODY_SHAPES) {
        const headers = { authorization: `Bearer ${KEY}`, 'compat-version': '2023-06-01' }
        const body = shape.make(bytes)
        const answer = await fetch(edge.url + PATHS[shape.endpoint], { method: 'POST', headers, body })
        expect(await answer.json()).toHaveProperty('error.message')
        expect([400, 404]).toContain(answer.status)
      }
      for (const { body } of light) {
        if (body.bytes === undefined) throw new Error('only light bodies come this way')
        expect(body.bytes.length).toBeLessThanOrEqual(LIGHT_BYTES_MAX)
        const bounds = { depthMax: 64, valuesMax: Number.POSITIVE_INFINITY, nul: 'pass' } as const
        expect(countValues(body.bytes, bounds)).toBeLessThanOrEqual(LIGHT_VALUES_MAX)
      }
      expect(heavy).toBeGreaterThan(bytes > LIGHT_BYTES_MAX ? 30 : -1)
    },
  )
})

const NO_SINK: Parameters<App['answerText']>[1] = {
  begin() {},
  write: () => true,
  end() {},
  cut() {},
  onDrain() {},
  onClose() {},
}
