import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { signMessage } from '../../../adapters/callbacks/send-callback.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { Area } from '../../edge-request.ts'
import { presentError } from '../../errors/present-error.ts'
import type { Operation } from '../../operation.ts'
import { OPERATIONS } from '../../routes.ts'
import { describeApi } from './describe-api.ts'
import { WEBHOOK_BODIES } from './describe-webhooks.ts'
import { ERROR_ENVELOPES, errorEnvelope } from './error-envelopes.ts'
import { nameSchemas } from './name-schemas.ts'

const SAMPLE: Operation = {
  id: 'changeThing',
  method: 'POST',
  path: '/v1/things/:thing_id/parts/:part_id',
  area: 'messages',
  access: 'api-key',
  summary: 'Change a thing',
  description: 'At length.',
  query: { dry: { schema: json.boolean(), description: 'Only look.' } },
  headers: { 'If-Thing': { schema: json.string({ maxLength: 9 }), description: 'Only then.' } },
  body: { schema: json.object({ name: json.string() }), limitBytes: 1024 },
  replies: {
    200: { description: 'Changed.', schema: json.object({ ok: json.literal(true) }) },
    204: { description: 'Nothing to change.' },
    404: { description: 'No such thing.' },
  },
  handle: () => () => {},
}

const api = describeApi([...OPERATIONS, SAMPLE], { version: '1.2.3' })
const sample = api.paths['/v1/things/{thing_id}/parts/{part_id}']?.post

describe('describeApi', () => {
  it('has every documented operation of the table once', () => {
    const described = Object.values(api.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    const expected = [...OPERATIONS, SAMPLE].filter(({ undocumented }) => !undocumented).map(({ id }) => id)
    expect(described.toSorted()).toEqual(expected.toSorted())
    expect(new Set(described).size).toBe(described.length)
  })

  it('leaves out rows that are not part of the reference', () => {
    const hidden: Operation = { ...SAMPLE, path: '/hidden', undocumented: true }
    expect(describeApi([hidden], { version: '1' }).paths).toEqual({})
  })

  it('keeps two methods of one path apart', () => {
    const removeThing: Operation = { ...SAMPLE, id: 'removeThing', method: 'DELETE' }
    const path = describeApi([SAMPLE, removeThing], { version: '1' }).paths[
      '/v1/things/{thing_id}/parts/{part_id}'
    ]
    expect(path).toMatchObject({
      post: { operationId: 'changeThing' },
      delete: { operationId: 'removeThing' },
    })
  })

  it('describes parameters and body', () => {
    expect(sample?.parameters).toEqual([
      { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'part_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'dry', in: 'query', required: false, description: 'Only look.', schema: { type: 'boolean' } },
      {
        name: 'If-Thing',
        in: 'header',
        required: false,
        description: 'Only then.',
        schema: { type: 'string', maxLength: 9 },
      },
    ])
    expect(sample?.requestBody?.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/ChangeThingRequest' },
      example: { name: '...' },
    })
    expect(api.components.schemas.ChangeThingRequest).toMatchObject({ required: ['name'] })
  })

  it('shows the bounds of a create call, and its header', () => {
    const create = api.paths['/v1/video/generations']?.post
    expect(create?.parameters).toMatchObject([
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } },
    ])
    const url = { properties: { url: { maxLength: 8_192 } } }
    expect(api.components.schemas.CreateTaskRequest).toMatchObject({
      properties: {
        content: {
          minItems: 1,
          maxItems: 128,
          items: {
            anyOf: [
              { properties: { text: { maxLength: 100_000 } } },
              { properties: { image_url: url } },
              { properties: { video_url: url } },
              { properties: { audio_url: url } },
            ],
          },
        },
        task_type: { maxLength: 128 },
        duration: { minimum: 4, maximum: 86_400 },
        resolution: { maxLength: 128 },
        service_tier: { maxLength: 128 },
        callback_url: { maxLength: 8_192 },
        execution_expires_after: { minimum: 1, maximum: 2_592_000 },
      },
    })
  })

  it('describes replies, errors in the envelope of the area, and headers', () => {
    expect(Object.keys(sample?.responses ?? {})).toEqual([
      '200',
      '204',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    expect(sample?.responses['404']).toMatchObject({
      description: 'No such thing.',
      headers: {
        'x-request-id': { $ref: '#/components/headers/RequestId' },
        'request-id': { $ref: '#/components/headers/RequestId' },
        'x-ratelimit-limit': { $ref: '#/components/headers/RateLimit' },
        'x-ratelimit-remaining': { $ref: '#/components/headers/RateRemaining' },
        'x-ratelimit-reset': { $ref: '#/components/headers/RateReset' },
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/MessagesError' },
          example: { type: 'error', error: { type: 'not_found_error' }, request_id: 'req_019a2b3c' },
        },
      },
    })
    expect(sample?.responses['429']?.headers).toHaveProperty('retry-after')
    expect(sample?.responses['401']?.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(api.paths['/healthz']?.get?.responses['200']?.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(sample?.responses['204']).not.toHaveProperty('content')
  })

  it('asks for a key where one is needed', () => {
    expect(sample?.security).toEqual([{ bearer: [] }, { apiKey: [] }])
    expect(api.paths['/v1/video/generations']?.get?.security).toEqual([{ bearer: [] }])
    expect(api.paths['/healthz']?.get?.security).toEqual([])
    const sync = api.paths['/admin/quota/cache/sync/user']?.post
    expect(sync?.security).toEqual([{ adminKey: [] }])
    expect(Object.keys(sync?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    expect(api.components.securitySchemes.adminKey).toMatchObject({ in: 'header', name: 'X-Admin-Key' })
  })

  it('names each body, reply and list row once', () => {
    const named = nameSchemas(
      OPERATIONS.filter(({ undocumented }) => !undocumented),
      WEBHOOK_BODIES,
    )
    const names = [...named.values(), ...ERROR_ENVELOPES.map(({ name }) => name)]
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
    expect(names).toEqual(
      expect.arrayContaining(['Task', 'TaskSummary', 'Receipt', 'AdminOrganization', 'AdminAlias', 'Event']),
    )
    for (const operation of Object.values(api.paths).flatMap((path) => Object.values(path))) {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].map(
        (one) => one?.content,
      )
      for (const { schema, example } of contents.flatMap((content) => content?.['application/json'] ?? [])) {
        if (operation.operationId === 'openApi') continue
        expect(schema).toEqual({ $ref: expect.any(String) })
        expect(example).toBeDefined()
      }
    }
  })

  it('has examples that match their schemas', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', ...api })
    const shown: [reference: string, example: unknown][] = []
    JSON.stringify(api, (_name, value) => {
      if (value?.schema?.$ref !== undefined && 'example' in value)
        shown.push([value.schema.$ref, value.example])
      return value
    })
    expect(shown.length).toBeGreaterThan(200)
    for (const [reference, examples] of Map.groupBy(shown, ([name]) => name)) {
      const isValid = ajv.compile({ $ref: `api${reference}` })
      for (const [, example] of examples)
        expect({ reference, example, errors: isValid(example) ? null : isValid.errors }).toMatchObject({
          errors: null,
        })
    }
  })

  it('has the webhooks that the gateway sends', () => {
    const { taskEnded, event } = api.webhooks
    expect(taskEnded?.post.requestBody.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Task',
    })
    expect(taskEnded?.post.parameters.map(({ name }) => name)).toEqual(
      Object.keys(signMessage({ id: 'msg_1', atMs: 0, body: '', secrets: [] })),
    )
    expect(event?.post.requestBody.content['application/json']?.example).toMatchObject({
      type: 'balance.low',
    })
  })

  it('is valid JSON, and every reference has a target', () => {
    const text = JSON.stringify(api)
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { title: 'Sluice', version: '1.2.3' } })
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) expect(api).toHaveProperty(reference.split('/'))
    const tags = new Set(api.tags.map(({ name }) => name))
    for (const path of Object.values(api.paths)) {
      for (const { tags: used, responses } of Object.values(path)) {
        for (const tag of used) expect(tags).toContain(tag)
        expect(Object.keys(responses).every((status) => /^[1-5]\d\d$/.test(status))).toBe(true)
      }
    }
  })
})

describe('the error envelopes', () => {
  const areas: Area[] = ['video', 'responses', 'messages', 'chat', 'admin']
  const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS)

  it.each(areas)('fit the bodies that the edge sends in the area %s', (area) => {
    const fits = new Ajv({ strict: true }).compile(errorEnvelope(area).schema)
    for (const code of codes) {
      const { body } = presentError(area, new ApiError(code, { param: 'limit' }), 'req_1')
      expect(fits(JSON.parse(body))).toBe(true)
    }
    const native = { vendorCode: 'invalid_encrypted_content', details: { error_code: 'thread_not_found' } }
    const { body } = presentError(area, new ApiError('invalid_parameter', native), 'req_1')
    expect(fits(JSON.parse(body))).toBe(true)
    expect(fits({ oops: 1 })).toBe(false)
  })
})
