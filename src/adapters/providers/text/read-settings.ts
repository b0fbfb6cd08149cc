import { DISPENSABLE_FIELDS, type DispensableField } from '@sluice/dialects/canonical/chat-variant'
import { oneOf } from '../../../config/settings/kinds/text.ts'
import { readMappingFields, refuseUnknownKeys, type YamlSection } from '../../../config/yaml/mapping.ts'
import { readListOf } from '../../../config/yaml/read-list.ts'
import {
  below,
  type ModelEntry,
  type ProviderSection,
  readModels,
  refuseKeysBeside,
} from '../../../config/yaml/section.ts'
import { readKeys } from './read-keys.ts'
import {
  type ChatSettings,
  ownCallsOf,
  TEXT_CHAT_FIELDS,
  TEXT_FIELDS,
  TEXT_MODEL_FIELDS,
  type TextModel,
  type TextProviderSettings,
} from './settings.ts'

/** Returns undefined when it reported a fault. */
export function readTextProvider({ name, ...section }: ProviderSection): TextProviderSettings | undefined {
  const known = refuseKeysBeside(TEXT_FIELDS, ['api_keys', 'chat', 'models'], section)
  const fields = readMappingFields(TEXT_FIELDS, section)
  const keys = readKeys(section, fields?.api_key)
  const models = readModels(section, readTextModel)
  const chat = readChat(below(section, 'chat'))
  if (!known || fields === undefined || keys === undefined || models === undefined) return undefined
  if (chat === undefined) return undefined
  return {
    driver: 'text',
    name,
    baseUrl: fields.base_url,
    keys,
    versionHeader: fields.version_header,
    models,
    organizationId: fields.organization,
    chat,
  }
}

/** Accepts `name: chat` as a short form of `name: { dialect: chat }`. */
function readTextModel({ model, value, models }: ModelEntry): TextModel | undefined {
  if (typeof value === 'string') {
    const dialect = readMappingFields({ [model]: TEXT_MODEL_FIELDS.dialect }, models)?.[model]
    return dialect && { dialect, upstream: model, ...ownCallsOf(dialect), reasons: true }
  }
  const section = below(models, model)
  if (section === undefined) return undefined
  const known = refuseKeysBeside(TEXT_MODEL_FIELDS, [], section)
  const fields = readMappingFields(TEXT_MODEL_FIELDS, section)
  if (!known || fields === undefined) return undefined
  const { dialect, upstream = model } = fields
  const can = ownCallsOf(dialect)
  const unknown = OWN_CALLS.find(({ field, call }) => fields[field] === 'true' && !can[call])
  if (unknown === undefined)
    return {
      dialect,
      upstream,
      reasons: fields.reasons === 'true',
      countsTokens: can.countsTokens && fields.counts_tokens !== 'false',
      compacts: can.compacts && fields.compacts !== 'false',
    }
  section.reading.report({
    setting: section.reading.tree.place([...section.path, unknown.field]),
    wrong: `the ${dialect} dialect has no call for it`,
    fix: unknown.fix,
  })
  return undefined
}

const OWN_CALLS = [
  {
    field: 'counts_tokens',
    call: 'countsTokens',
    fix: 'Leave it out: Sluice counts the tokens of this model itself.',
  },
  { field: 'compacts', call: 'compacts', fix: 'Leave it out: Sluice asks this model for a summary itself.' },
] as const

/** Reads `chat` of a text provider. Returns undefined when it reported a fault. */
function readChat(section: YamlSection | undefined): ChatSettings | undefined {
  if (section === undefined) return undefined
  const known = [...Object.keys(TEXT_CHAT_FIELDS), 'leaves_out']
  const isKnown = refuseUnknownKeys(section.mapping, { ...section, known })
  const fields = readMappingFields(TEXT_CHAT_FIELDS, section)
  const leavesOut = readLeftOut(section)
  if (!isKnown || fields === undefined || leavesOut === undefined) return undefined
  return {
    path: fields.path,
    instructions: fields.instructions,
    outputBound: fields.output_bound,
    replaysReasoning: fields.replays_reasoning === 'true',
    checksSignatures: fields.checks_signatures === 'true',
    bridgesResults: fields.bridges_results === 'true',
    leavesOut,
  }
}

function readLeftOut({ mapping, path, reading }: YamlSection): DispensableField[] | undefined {
  if (!mapping.has('leaves_out')) return []
  return readListOf(FIELD, mapping.get('leaves_out'), [...path, 'leaves_out'], reading)
}

const FIELD = oneOf(DISPENSABLE_FIELDS)
