import type { AnyProvider } from '../../../config/providers/provider.ts'
import type { ConfigFields } from '../../../config/read-fields.ts'
import type { Secret } from '../../../config/secret.ts'
import { httpUrl, urlPath } from '../../../config/settings/kinds/http-url.ts'
import { integer } from '../../../config/settings/kinds/integer.ts'
import type { Kind } from '../../../config/settings/kinds/kind.ts'
import { headerName, oneOf, text } from '../../../config/settings/kinds/text.ts'
import type { ChatVariant } from '../../../domain/catalog/chat-variant.ts'
import { DIALECT_NAMES, DIALECTS, type Dialect } from '../../../domain/catalog/dialects.ts'
import { apiKey } from '../shared-fields.ts'

export interface TextProviderSettings extends AnyProvider {
  driver: 'text'
  /** At least one. */
  keys: readonly WeighedKey[]
  versionHeader: string
  models: ReadonlyMap<string, TextModel>
  /** Where its chat completions are, and what they want otherwise. Left out: as usual. */
  chat?: ChatSettings | undefined
}

export interface ChatSettings extends ChatVariant {
  path: string
}

/** One of several keys, and its share of the calls beside the others' weights. */
export interface WeighedKey {
  key: Secret
  weight: number
}

export interface TextModel {
  dialect: Dialect
  /** The vendor's own id. */
  upstream: string
  /** Whether the vendor counts tokens for it; only the messages dialect has it. */
  countsTokens: boolean
  /** Whether the vendor compacts conversations with it; only the responses dialect has it. */
  compacts: boolean
  /** Whether it takes a word about its reasoning. */
  reasons: boolean
}

/** What vendors of a dialect can be asked beside replies. */
export function ownCallsOf(dialect: Dialect): Pick<TextModel, 'countsTokens' | 'compacts'> {
  const { countPath, compactPath } = DIALECTS[dialect]
  return { countsTokens: countPath !== undefined, compacts: compactPath !== undefined }
}

/** The dialects' paths begin with /v1 themselves: given twice, every call would be a 404. */
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
      'The one organization (`org_...`) that this account belongs to. Only it can use these models, and its requests may then name everything that the account has: files, vector stores, stored prompts. Unset: all organizations share the account, and a request may name only ids that replies gave to its own organization within 30 days.',
  },
} satisfies ConfigFields

/** What stands behind each item of `api_keys`. */
export const TEXT_KEY_FIELDS = {
  key: apiKey,
  weight: {
    kind: integer({ min: 1, max: 100 }),
    default: '1',
    meaning: 'Its share of the calls: a key of weight 2 takes twice as many as one of weight 1.',
  },
} satisfies ConfigFields

/** What stands under `chat` of a text provider. */
export const TEXT_CHAT_FIELDS = {
  path: {
    kind: urlPath,
    default: '/v1/chat/completions',
    meaning: 'Where its chat completions are, after `base_url`.',
  },
  instructions: {
    kind: oneOf(['as-sent', 'system', 'first']),
    default: 'as-sent',
    meaning:
      '`system`: for vendors without the role `developer`. `first`: for those that also take no system message but the first; what a client says there later is told as the words of the user, in `<system>` tags.',
  },
  output_bound: {
    kind: oneOf(['max_completion_tokens', 'max_tokens']),
    default: 'max_completion_tokens',
    meaning: 'What it calls the bound on the output.',
  },
  replays_reasoning: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it wants the reasoning of earlier turns back as `reasoning_content`, as some models do that reason before they call tools. It then travels in the signature, so that it comes back also from clients that ask not to be shown it, as Claude Code does.',
  },
  checks_signatures: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it refuses calls of earlier turns that came without the signature it gave them (`extra_content`), as Gemini 3 does. Signatures come back through clients without this; `true` gives calls that have none, because a client lost it or another model made them, the word by which Google lets them pass.',
  },
  bridges_results: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning:
      'Whether it accepts only a message of the assistant right after the result of a tool, as Mistral does ("Unexpected role"). `true` puts a short message of the assistant between them.',
  },
} satisfies ConfigFields

export const TEXT_MODEL_FIELDS = {
  dialect: {
    kind: oneOf(DIALECT_NAMES),
    required: true,
    meaning: 'What the provider speaks for this model.',
  },
  upstream: {
    kind: text({ takes: "the vendor's own id of the model" }),
    meaning: "The vendor's own id of the model. Unset: the name itself.",
  },
  counts_tokens: {
    kind: oneOf(['true', 'false']),
    meaning:
      'Whether the provider has `/v1/messages/count_tokens` for this model; where it has not, Sluice counts. Unset: true for the `messages` dialect, which alone has it.',
  },
  compacts: {
    kind: oneOf(['true', 'false']),
    meaning:
      'Whether the provider has `/v1/responses/compact` for this model; where it has not, Sluice asks the model for a summary. Unset: true for the `responses` dialect, which alone has it.',
  },
  reasons: {
    kind: oneOf(['true', 'false']),
    default: 'true',
    meaning:
      'Whether the model takes an effort or a budget of reasoning. `false` for models that answer 400 to it: converted requests then leave it out and declare the loss `reasoning_effort`. A passthrough sends what the client sent.',
  },
} satisfies ConfigFields
