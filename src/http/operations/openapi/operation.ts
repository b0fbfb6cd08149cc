import { type Operation, openOperation } from '../../operation.ts'
import { describeApi } from './describe-api.ts'
import { API_VERSION } from './group-of.ts'

/** Takes a function because the list of operations contains this one too, so it is not complete yet. */
export function openApiOperation(operations: () => readonly Operation[]): Operation {
  return openOperation('openApi', 'GET /openapi.json', {
    summary: 'This API as an OpenAPI 3.1 document',
    replies: { 200: { description: 'The document.', contentType: 'application/json' } },
    handle() {
      let body: Buffer | undefined
      return (_request, reply) => {
        body ??= Buffer.from(JSON.stringify(describeApi(operations(), { version: API_VERSION })))
        return reply.type('application/json; charset=utf-8').send(body)
      }
    },
  })
}
