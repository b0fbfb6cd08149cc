import { json } from '../../domain/json/json-schema.ts'
import type { Operation } from '../operation.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from './read-idempotency-key.ts'
import { COST_SWITCH_HEADER, STRICT_HEADER } from './read-text-command.ts'
import { SDK_VERSION_HEADER, VERSION_HEADER, VERSIONS } from './read-version.ts'

/** Version header of the Messages format, under both names. Examples use the name that SDKs send. */
export const VERSION_HEADERS: NonNullable<Operation['headers']> = {
  [SDK_VERSION_HEADER]: {
    schema: json.string(),
    example: VERSIONS[0],
    description: `Required, unless the operator says otherwise: \`${VERSIONS.join('`, `')}\` or a newer date. \`${VERSION_HEADER}\` counts as the same header.`,
  },
  [VERSION_HEADER]: { schema: json.oneOf(VERSIONS), description: `The same as \`${SDK_VERSION_HEADER}\`.` },
}

/** Header that makes a repeated request idempotent. */
export const REPLAY_HEADERS: NonNullable<Operation['headers']> = {
  'Idempotency-Key': {
    schema: json.string({ maxLength: IDEMPOTENCY_KEY_LENGTH_MAX }),
    description:
      'For 24 hours the same key with the same body is charged once: it answers with the first reply, or with 409 when that reply is no longer kept. Replies of up to 1 MiB are kept, for each organization the latest. Streams ignore it.',
  },
}

export const TEXT_HEADERS: NonNullable<Operation['headers']> = {
  ...REPLAY_HEADERS,
  [STRICT_HEADER]: {
    schema: json.oneOf(['true', 'false']),
    description:
      'Refuses a request that could not be put to the provider without a loss. Otherwise `x-sluice-losses` of the answer names what was lost.',
  },
  [COST_SWITCH_HEADER]: {
    schema: json.oneOf(['true', 'false']),
    description:
      'With `true` a stream says what it cost in US dollars, in a comment line `: cost_usd=0.001234` directly before its last event. Whole replies always have it in the header `x-sluice-cost-usd`.',
  },
}

/** Failures of text endpoints besides those of every operation. */
export const TEXT_FAILURES: Operation['replies'] = {
  400: { description: 'The request, or a part of it that this model cannot be asked.' },
  402: { description: 'The balance does not cover what the request is likely to cost.' },
  404: { description: 'There is no such model, or it is not offered on this endpoint.' },
  409: {
    description:
      'A request with this `Idempotency-Key` is still running, or was charged and its reply is no longer kept.',
  },
  422: { description: 'This `Idempotency-Key` came with another body before.' },
  429: { description: 'Too many requests, the daily limit of the user is reached, or the provider is busy.' },
  503: { description: 'The provider is not configured or not available, or the model has no price.' },
  529: { description: 'The provider is overloaded.' },
}
