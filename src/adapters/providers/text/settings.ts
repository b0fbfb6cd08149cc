import type { ChatVariant } from '@sluice/dialects/canonical/chat-variant'
import { DIALECT_NAMES, DIALECTS, type Dialect } from '@sluice/dialects/dialect-facts'
import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import type { Secret } from '../../../config/secret.ts'
import { httpUrl, urlPath } from '../../../config/settings/kinds/http-url.ts'
import { integer } from '../../../config/settings/kinds/integer.ts'
import type { Kind } from '../../../config/settings/kinds/kind.ts'
import { headerName, oneOf, text } from '../../../config/settings/kinds/text.ts'
import type { TextUpstreamModel } from '../../../ports/text-provider.ts'
import { apiKey } from '../shared-fields.ts'

export interface TextProviderSettings extends AnyProvider {
  driver: 'text'
  keys: readonly WeighedKey[]
  versionHeader: string
  models: ReadonlyMap<string, TextModel>
  /** Path and differences of the provider's chat completions. */
  chat?: ChatSettings | undefined
}

export interface ChatSettings extends ChatVariant {
  path: string
}

/** A key, and its share of the calls relative to the other weights. */
export interface WeighedKey {
  key: Secret
  weight: number
}

export type TextModel = Required<TextUpstreamModel>

/** Default options of a model for which only the dialect is configured. */
export const USUAL_MODEL = { reasons: true, thinking: 'budget' } as const

/** Tells which further calls a dialect has, besides the call that creates a reply. */
export function ownCallsOf(dialect: Dialect): Pick<TextModel, 'countsTokens' | 'compacts'> {
  const { countPath, compactPath } = DIALECTS[dialect]
  return { countsTokens: countPath !== undefined, compacts: compactPath !== undefined }
}

/** Address without `/v1`, because the default paths of all dialects begin with `/v1`. */
const textBaseUrl: Kind<string> = {
  ...httpUrl,
  takes: `${httpUrl.takes}, and without /v1`,
  parse(given) {
    const parsed = httpUrl.parse(given)
    if ('value' in parsed && /\/v1$/.test(parsed.value))
      return { wrong: 'ends in /v1', fix: 'Leave /v1 out: Sluice adds it.' }
    return parsed
  },
}

export const TEXT_FIELDS = {
  base_url: { kind: textBaseUrl, required: true, meaning: 'The address of its API, without `/v1`.' },
  api_key: { kind: apiKey.kind, meaning: `${apiKey.meaning} Either this or \`api_keys\`.` },
  version_header: {
    kind: headerName,
    default: 'anthropic-version',
    meaning: 'The name this provider gives to the version header of the `messages` dialect.',
  },
  organization: {
    kind: text({ takes: 'the id of an organization' }),
    meaning:
      'The one organization (`org_...`) that may use these models; its requests may name everything in the account: files, vector stores, stored prompts. Unset: all organizations share the account, and a request may name only ids that replies gave to its own organization within 30 days.',
  },
} satisfies ConfigFields

export const TEXT_KEY_FIELDS = {
  key: apiKey,
  weight: { kind: integer({ min: 1, max: 100 }), default: '1', meaning: 'Its share of the calls.' },
} satisfies ConfigFields

export const TEXT_CHAT_FIELDS = {
  path: {
    kind: urlPath,
    default: '/v1/chat/completions',
    meaning: 'The path of its chat completions, after `base_url`.',
  },
  instructions: {
    kind: oneOf(['as-sent', 'system', 'first']),
    default: 'as-sent',
    meaning:
      '`system`: for vendors without the role `developer`. `first`: for those that take only one system message, the first; later ones become user messages in `<system>` tags.',
  },
  output_bound: {
    kind: oneOf(['max_completion_tokens', 'max_tokens']),
    default: 'max_completion_tokens',
    meaning: 'The name of its field for the output limit.',
  },
  replays_reasoning: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it wants earlier reasoning back as `reasoning_content`, as some models do that reason before tool calls. The signature carries it, also through clients that hide reasoning, such as Claude Code.',
  },
  checks_signatures: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it refuses earlier calls without their signature (`extra_content`), as Gemini 3 does. `true` marks a call without one so that Google accepts it.',
  },
  bridges_results: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it accepts only an assistant message right after a tool result, as Mistral does ("Unexpected role"). `true` inserts a short one.',
  },
  call_ids: {
    kind: oneOf(['as-sent', 'nine']),
    default: 'as-sent',
    meaning:
      '`nine`: for vendors that accept only nine letters and digits as the id of a call, as Mistral does.',
  },
} satisfies ConfigFields

export const TEXT_MODEL_FIELDS = {
  dialect: {
    kind: oneOf(DIALECT_NAMES),
    required: true,
    meaning: 'The wire format of the provider for this model.',
  },
  upstream: {
    kind: text({ takes: "the vendor's own id of the model" }),
    meaning: "The vendor's own id of the model. Unset: the name itself.",
  },
  counts_tokens: {
    kind: oneOf(['true', 'false']),
    meaning:
      'Whether the provider has `/v1/messages/count_tokens` for this model; otherwise Sluice counts. Unset: true for the `messages` dialect only.',
  },
  compacts: {
    kind: oneOf(['true', 'false']),
    meaning:
      'Whether the provider has `/v1/responses/compact` for this model; otherwise Sluice asks the model for a summary. Unset: true for the `responses` dialect only.',
  },
  reasons: {
    kind: oneOf(['true', 'false']),
    default: 'true',
    meaning:
      'Whether the model takes a reasoning effort or budget. `false`: converted requests leave it out and declare the loss `reasoning_effort`; a passthrough sends it.',
  },
  thinking: {
    kind: oneOf(['budget', 'adaptive', 'always']),
    default: 'budget',
    meaning:
      'For the `messages` dialect: how converted requests make it think. `budget`: with a number of tokens. `adaptive`: with an effort and without `temperature`, as Claude since Opus 4.7. `always`: like `adaptive`, for models whose thinking cannot be turned off and that cannot be forced to call a tool, as Claude Opus 5.5.',
  },
} satisfies ConfigFields
