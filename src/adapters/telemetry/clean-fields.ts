import type { LogFields } from '../../ports/log.ts'
import { describeError } from './describe-error.ts'
import { redact } from './redact.ts'

/** Fields that may be logged, checked at runtime for code that avoids the types. */
const FIELD_KINDS = {
  requestId: 'string',
  operation: 'string',
  method: 'string',
  status: 'number',
  durationMs: 'number',
  organizationId: 'string',
  userId: 'string',
  keyId: 'string',
  taskId: 'string',
  provider: 'string',
  code: 'string',
  reason: 'text',
  count: 'number',
  port: 'number',
  engine: 'string',
  error: 'error',
} as const satisfies Record<keyof LogFields, FieldKind>

type FieldKind = 'string' | 'number' | 'text' | 'error'

const FIELD_CHARACTERS = 200

export function cleanFields(fields: LogFields): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (isField(name) && value !== undefined) cleaned[name] = cleanValue(FIELD_KINDS[name], value)
  }
  return cleaned
}

/** Returns undefined, which is left out, when the value is not of its kind. */
function cleanValue(kind: FieldKind, value: unknown): unknown {
  switch (kind) {
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'string':
      return typeof value === 'string' ? value.slice(0, FIELD_CHARACTERS) : undefined
    case 'text':
      return typeof value === 'string' ? redact(value, { maxCharacters: FIELD_CHARACTERS }) : undefined
    case 'error':
      return describeError(value)
  }
}

function isField(name: string): name is keyof LogFields {
  return Object.hasOwn(FIELD_KINDS, name)
}
