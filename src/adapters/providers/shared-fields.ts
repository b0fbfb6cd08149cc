import { integer } from '../../config/settings/kinds/integer.ts'
import { secretText } from '../../config/settings/kinds/text.ts'

/** ConfigFields that several drivers have. */

export const apiKey = {
  kind: secretText({ min: 1, inHeader: true }),
  required: true,
  meaning: 'The key of your account there, best kept in a variable. It is sent only to `base_url`.',
} as const

export const executionExpiresAfter = {
  kind: integer({ min: 1, max: 31_536_000 }),
  default: '172800',
  meaning: 'Seconds after which a task that has not ended fails, unless the client asks for another time.',
} as const

export const executionExpiresMin = {
  kind: integer({ min: 1, max: 2_592_000 }),
  meaning:
    'The least `execution_expires_after` that a client may ask for; less is refused with 400. For operators who fear that the vendor bills what it makes after the deadline. Unset: any.',
} as const
