import { readMappingFields } from '../../../config/providers/mapping.ts'
import {
  below,
  type ModelEntry,
  type ProviderSection,
  readModels,
  refuseKeysBeside,
} from '../../../config/providers/section.ts'
import { readChat } from './read-chat.ts'
import { readKeys } from './read-keys.ts'
import { TEXT_FIELDS, TEXT_MODEL_FIELDS, type TextModel, type TextProviderSettings } from './settings.ts'

/** undefined when there was a fault, which is reported. */
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

/** `name: chat` is short for `name: { dialect: chat }`. */
function readTextModel({ model, value, models }: ModelEntry): TextModel | undefined {
  if (typeof value === 'string') {
    const dialect = readMappingFields({ [model]: TEXT_MODEL_FIELDS.dialect }, models)?.[model]
    return dialect && { dialect, upstream: model, countsTokens: dialect === 'messages', reasons: true }
  }
  const section = below(models, model)
  if (section === undefined) return undefined
  const known = refuseKeysBeside(TEXT_MODEL_FIELDS, [], section)
  const fields = readMappingFields(TEXT_MODEL_FIELDS, section)
  if (!known || fields === undefined) return undefined
  const { dialect, upstream = model, counts_tokens: counts } = fields
  if (counts !== 'true' || dialect === 'messages') {
    const countsTokens = dialect === 'messages' && counts !== 'false'
    return { dialect, upstream, countsTokens, reasons: fields.reasons === 'true' }
  }
  section.reading.report({
    setting: section.reading.tree.place([...section.path, 'counts_tokens']),
    wrong: `the ${dialect} dialect has no call for it`,
    fix: 'Leave it out: Sluice counts the tokens of this model itself.',
  })
  return undefined
}
