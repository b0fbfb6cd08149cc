import {
  ASSET_FIELDS,
  TEXT_FIELDS,
  TEXT_MODEL_FIELDS,
  VENDOR_A_FIELDS,
  VENDOR_A_MODEL,
  VENDOR_B_FIELDS,
} from './driver-fields.ts'
import { readMapping, readMappingFields, refuseUnknownKeys, type Section } from './mapping.ts'
import type {
  AssetService,
  Provider,
  TextModel,
  TextProvider,
  VendorAProvider,
  VendorBProvider,
} from './provider.ts'
import { readChat } from './read-chat.ts'
import { readKeys } from './read-keys.ts'

type DriverReader = (section: Section & { name: string }) => Provider | undefined

/** How the settings of each driver are read. undefined when there was a fault, which is reported. */
export const DRIVER_READERS = {
  'vendor-a': readVendorA,
  'vendor-b': readVendorB,
  text: readTextProvider,
} satisfies Record<Provider['driver'], DriverReader>

function readVendorA({ name, ...section }: Section & { name: string }): VendorAProvider | undefined {
  const known = refuseKeysBeside(VENDOR_A_FIELDS, ['models', 'assets'], section)
  const fields = readMappingFields(VENDOR_A_FIELDS, section)
  const models = readModels(section, (model) => readUpstreamId(model))
  const assets = section.mapping.has('assets') ? readAssets(below(section, 'assets')) : 'none'
  if (!known || fields === undefined || models === undefined || assets === undefined) return undefined
  return {
    driver: 'vendor-a',
    name,
    baseUrl: fields.base_url,
    apiKey: fields.api_key,
    models,
    executionExpiresAfterSeconds: fields.execution_expires_after,
    executionExpiresMinSeconds: fields.execution_expires_min,
    assets: assets === 'none' ? undefined : assets,
  }
}

function readAssets(section: Section | undefined): AssetService | undefined {
  if (section === undefined) return undefined
  const known = refuseKeysBeside(ASSET_FIELDS, [], section)
  const fields = readMappingFields(ASSET_FIELDS, section)
  if (!known || fields === undefined) return undefined
  const { access_key: accessKey, secret_key: secretKey, token_field: tokenField, ...rest } = fields
  return { ...rest, accessKey, secretKey, tokenField }
}

function readVendorB({ name, ...section }: Section & { name: string }): VendorBProvider | undefined {
  const known = refuseKeysBeside(VENDOR_B_FIELDS, [], section)
  const fields = readMappingFields(VENDOR_B_FIELDS, section)
  if (!known || fields === undefined) return undefined
  return {
    driver: 'vendor-b',
    name,
    baseUrl: fields.base_url,
    apiKey: fields.api_key,
    executionExpiresAfterSeconds: fields.execution_expires_after,
    executionExpiresMinSeconds: fields.execution_expires_min,
  }
}

function readTextProvider({ name, ...section }: Section & { name: string }): TextProvider | undefined {
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

interface ModelEntry {
  model: string
  value: unknown
  /** The mapping the entry stands in. */
  models: Section
}

function readUpstreamId({ model, models }: ModelEntry): string | undefined {
  const field = { kind: VENDOR_A_MODEL, required: true, meaning: '' } as const
  return readMappingFields({ [model]: field }, models)?.[model]
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

/** A provider of models without a model serves nothing: most likely the list was forgotten. */
function readModels<Model>(
  section: Section,
  readModel: (entry: ModelEntry) => Model | undefined,
): ReadonlyMap<string, Model> | undefined {
  const models = below(section, 'models')
  if (models === undefined) return undefined
  if (models.mapping.size === 0) {
    section.reading.report({
      setting: section.reading.tree.place(models.path),
      wrong: 'no model is listed',
      fix: 'List at least one model under models.',
    })
    return undefined
  }
  const read = new Map<string, Model>()
  for (const [model, value] of models.mapping) {
    const result = readModel({ model, value, models })
    if (result !== undefined) read.set(model, result)
  }
  return read.size === models.mapping.size ? read : undefined
}

function below({ mapping, path, reading }: Section, key: string): Section | undefined {
  const inner = readMapping(mapping.get(key), [...path, key], reading)
  return inner === undefined ? undefined : { mapping: inner, path: [...path, key], reading }
}

function refuseKeysBeside(fields: object, others: readonly string[], section: Section): boolean {
  const isProvider = section.path.length === 2
  const known = [...(isProvider ? ['driver'] : []), ...Object.keys(fields), ...others]
  return refuseUnknownKeys(section.mapping, { ...section, known })
}
