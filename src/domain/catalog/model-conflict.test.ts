import { expect, test } from 'vitest'
import { modelConflict } from './model-conflict.ts'

const STORED = [
  { modelId: 1, name: 'vendorA/one' },
  { modelId: 2, name: 'vendorA/two' },
]

test.each([
  [1, 'vendorA/one'],
  [3, 'vendorA/three'],
])('%i %s agrees', (modelId, name) => {
  expect(modelConflict({ modelId, name }, STORED)).toBeUndefined()
})

test.each([
  [
    3,
    'vendorA/one',
    'vendorA/one has the model_id 1, and that never changes. Write model_id: 1 instead of 3.',
  ],
  [
    2,
    'vendorA/one',
    'vendorA/one has the model_id 1, and that never changes. Write model_id: 1 instead of 2.',
  ],
  [2, 'vendorA/new', 'The model_id 2 belongs to vendorA/two. Give vendorA/new a number that is free.'],
])('%i %s does not agree', (modelId, name, message) => {
  expect(modelConflict({ modelId, name }, STORED)).toMatchObject({ code: 'invalid_parameter', message })
})
