import { describe, expect, it } from 'vitest'
import { json } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'
import { curlExample } from './curl-example.ts'

const OPEN: Operation = {
  id: 'look',
  method: 'GET',
  path: '/look',
  area: 'video',
  access: 'open',
  summary: 'Look',
  replies: {},
  handle: () => () => {},
}

describe('curlExample', () => {
  it('is one line for an open path', () => {
    expect(curlExample(OPEN)).toBe('curl "$SLUICE_URL/look"')
  })

  it('carries the key and names the path parameters', () => {
    expect(curlExample({ ...OPEN, method: 'DELETE', path: '/v1/tasks/:task_id', access: 'api-key' })).toBe(
      'curl -X DELETE "$SLUICE_URL/v1/tasks/$TASK_ID" \\\n  -H "Authorization: Bearer $SLUICE_API_KEY"',
    )
  })

  it('has the least body that is needed, and takes an example where there is one', () => {
    const schema = json.object({
      model: json.string({ examples: ['vendorA/gen-2.0'] }),
      content: json.array(json.object({ type: json.literal('text'), text: json.string() })),
      seconds: json.integer({ minimum: 4 }),
      seed: json.optional(json.integer()),
    })
    const example = curlExample({ ...OPEN, method: 'POST', body: { schema, limitBytes: 1 } })
    expect(example).toContain(
      `-d '{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"..."}],"seconds":4}'`,
    )
  })
})
