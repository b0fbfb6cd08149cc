import { expect, it, onTestFinished } from 'vitest'
import type { Operation } from '../../../../src/http/operation.ts'
import { openApiOperation } from '../../../../src/http/operations/openapi/operation.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

it('GET /openapi.json answers 200 with the document of the whole table, itself included', async () => {
  const operation: Operation = openApiOperation(() => [operation])
  const edge = await startEdge({ operations: [operation] })
  onTestFinished(() => edge.close())
  const [first, second] = [await fetch(`${edge.url}/openapi.json`), await fetch(`${edge.url}/openapi.json`)]
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const document: unknown = await first.json()
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: 'v1' },
    paths: { '/openapi.json': { get: { operationId: 'openApi' } } },
  })
  expect(await second.json()).toEqual(document)
})
