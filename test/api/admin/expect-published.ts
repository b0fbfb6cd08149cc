import { Ajv } from 'ajv'
import { expect } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'

const ajv = new Ajv({ strict: false, validateFormats: false })

/** Fails unless the body matches the schema that the operation publishes. */
export function expectPublished(operationId: string, body: unknown): void {
  const schema = OPERATIONS.find(({ id }) => id === operationId)?.replies[200]?.schema ?? { not: {} }
  const isValid = ajv.compile(closed(schema))
  expect({ body, errors: isValid(body) ? null : isValid.errors }).toEqual({ body, errors: null })
}

/** Refuses members that the schema does not name. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, value) =>
    value?.type === 'object' && Object.keys(value.properties ?? {}).length > 0
      ? { ...value, additionalProperties: false }
      : value,
  )
}
