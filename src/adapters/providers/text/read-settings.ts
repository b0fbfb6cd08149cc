import { DISPENSABLE_FIELDS, type DispensableField } from '@sluice/dialects/canonical/chat-variant'
import type { Secret } from '../../../config/secret.ts'
import { oneOf } from '../../../config/settings/kinds/text.ts'
import {
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  reportAt,
  type YamlSection,
} from '../../../config/yaml/mapping.ts'
import { readList, readListOf } from '../../../config/yaml/read-list.ts'
import { reportRepeats } from '../../../config/yaml/report-repeats.ts'
import {
  below,
  type ModelEntry,
  type ProviderSection,
  readModels,
  refuseKeysBeside,
} from '../../../config/yaml/section.ts'
import {
  type ChatSettings,
  ownCallsOf,
  TEXT_CHAT_FIELDS,
  TEXT_FIELDS,
  TEXT_KEY_FIELDS,
  TEXT_MODEL_FIELDS,
  type TextModel,
  type TextProviderSettings,
  USUAL_MODEL,
  type WeighedKey,
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
    return dialect && { dialect, upstream: model, ...ownCallsOf(dialect), ...USUAL_MODEL }
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
      thinking: fields.thinking,
      countsTokens: can.countsTokens && fields.counts_tokens !== 'false',
      compacts: can.compacts && fields.compacts !== 'false',
    }
  return reportAt([...section.path, unknown.field], section.reading, {
    wrong: `the ${dialect} dialect has no call for it`,
    fix: unknown.fix,
  })
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
    callIds: fields.call_ids,
    leavesOut,
  }
}

function readLeftOut({ mapping, path, reading }: YamlSection): DispensableField[] | undefined {
  if (!mapping.has('leaves_out')) return []
  return readListOf(FIELD, mapping.get('leaves_out'), [...path, 'leaves_out'], reading)
}

const FIELD = oneOf(DISPENSABLE_FIELDS)

/** Reads `api_key` or the list `api_keys`. Returns undefined when it reported a fault. */
function readKeys(section: YamlSection, apiKey: Secret | undefined): readonly WeighedKey[] | undefined {
  const { mapping, path, reading } = section
  const list = mapping.get('api_keys') ?? null
  const hasApiKey = Boolean(mapping.get('api_key'))
  if (list !== null && !hasApiKey) return readKeyList(list, { ...section, path: [...path, 'api_keys'] })
  if (list === null && hasApiKey) return apiKey && [{ key: apiKey, weight: 1 }]
  if (hasApiKey) {
    const fault = { wrong: 'there is an api_key too', fix: 'Keep one of the two.' }
    return reportAt([...path, 'api_keys'], reading, fault)
  }
  const fix = `Use ${TEXT_FIELDS.api_key.kind.takes}, or list several as api_keys.`
  return reportAt([...path, 'api_key'], reading, { wrong: 'it is missing', fix })
}

function readKeyList(value: unknown, { path, reading }: YamlSection): readonly WeighedKey[] | undefined {
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  if (items.length === 0)
    return reportAt(path, reading, { wrong: 'no key is listed', fix: 'List at least one key.' })
  const read = items.map((item, index) => readKey(item, { path, reading, place: `${index}` }))
  const keys = read.filter((key) => key !== undefined)
  const areDifferent = reportRepeats(read, {
    ...{ what: undefined, path, reading, keyOf: ({ key }) => key.reveal() },
    faultOf: (earlier) => ({
      wrong: `it is the same key as ${earlier}`,
      fix: 'Take one of the two out; a weight gives a key more calls.',
    }),
  })
  return areDifferent && keys.length === items.length ? keys : undefined
}

/** Accepts `- ${KEY}` as a short form of `- { key: ${KEY} }`. */
function readKey(
  item: unknown,
  { path, reading, place }: Omit<YamlSection, 'mapping'> & { place: string },
): WeighedKey | undefined {
  if (item === null || typeof item === 'string') {
    const mapping = new Map([[place, item]])
    const key = readMappingFields({ [place]: TEXT_KEY_FIELDS.key }, { mapping, path, reading })?.[place]
    return key && { key, weight: 1 }
  }
  const section = { path: [...path, place], reading }
  const mapping = readMapping(item, section.path, reading)
  if (mapping === undefined) return undefined
  const known = refuseUnknownKeys(mapping, { ...section, known: Object.keys(TEXT_KEY_FIELDS) })
  const fields = readMappingFields(TEXT_KEY_FIELDS, { ...section, mapping })
  return known ? fields : undefined
}
