import { expect, test } from 'vitest'
import { notOfferedOn, unknownModel, unusableStandIn } from './unknown-model.ts'

const OFFERED = ['vendorA/gen-2.0', 'vendorC/model-4.1', 'vendorC/model-4.1-mini']

test.each([
  ['vendorC/model-4', 'Did you mean vendorC/model-4.1?'],
  ['vendorc/MODEL-4.1', 'Did you mean vendorC/model-4.1?'],
  ['gen-2.0', 'GET /v1/models lists the models you can use.'],
  ['something/else', 'GET /v1/models lists the models you can use.'],
])('%s: the message names it and says "%s"', (name, advice) => {
  const apiError = unknownModel(name, OFFERED)
  expect(apiError).toMatchObject({ code: 'model_not_found', param: 'model' })
  expect(apiError.message).toBe(`The model "${name}" does not exist or is not offered here. ${advice}`)
})

test('a name of a megabyte is neither compared nor repeated', () => {
  expect(unknownModel('m'.repeat(1_048_576), OFFERED).message.length).toBeLessThan(200)
})

test.each([
  ['a text model without a path', { name: 'acme/one', endpoints: [] }, 'No path offers it.'],
  [
    'a text model of one path',
    { name: 'acme/one', endpoints: ['chat'] as const },
    'It is offered on POST /v1/chat/completions.',
  ],
  [
    'a video model',
    { name: 'vendorA/gen-2.0', endpoints: null },
    'It is a video model, not a text model: POST /v1/video/generations takes it.',
  ],
])('the message for %s on another path says where it is offered', (_name, row, offer) => {
  expect(
    notOfferedOn('messages', { modelId: 1, createdAtMs: 1, maxOutputTokens: null, ...row }).message,
  ).toBe(`The model ${row.name} is not offered on POST /v1/messages. ${offer}`)
})

const VIDEOS = ['vendorA/gen-2.0', 'vendorB/gen-v4-std']
const isVideo = (name: string) => VIDEOS.includes(name)

test.each([
  ['none', { name: 'vendorC/text' }],
  ['a video model', { name: 'vendorA/gen-2.0', standIns: ['vendorB/gen-v4-std'] }],
])('accepts as stand-ins: %s', (_name, row) => {
  expect(unusableStandIn(row, isVideo)).toBeUndefined()
})

test.each([
  ['vendorC/text', ['vendorA/gen-2.0'], 'vendorC/text makes no videos'],
  ['vendorA/gen-2.0', ['vendorB/gen-v4-std', 'vendorC/text'], 'The stand-in vendorC/text of vendorA/gen-2.0'],
])('the stand-ins of %s cannot be %j', (name, standIns, message) => {
  const apiError = unusableStandIn({ name, standIns }, isVideo)
  expect(apiError).toMatchObject({ code: 'invalid_parameter', param: 'stand_ins' })
  expect(apiError?.message).toContain(message)
})
