import { integer } from '../../config/settings/kinds/integer.ts'
import { secretText } from '../../config/settings/kinds/text.ts'

export const apiKey = {
  kind: secretText({ min: 1, inHeader: true }),
  required: true,
  meaning: 'Key of your account, best from a variable; it is sent only to `base_url`.',
} as const

export const executionExpiresAfter = {
  kind: integer({ min: 1, max: 31_536_000 }),
  default: '172800',
  meaning: 'Seconds after which an open task fails, unless the client asks for another time.',
} as const

export const executionExpiresMin = {
  kind: integer({ min: 1, max: 2_592_000 }),
  meaning:
    'Minimum `execution_expires_after` of a client; less is 400. For vendors that bill work after the deadline. Unset: none.',
} as const
