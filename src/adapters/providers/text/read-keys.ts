import type { Secret } from '../../../config/secret.ts'
import {
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  type YamlSection,
} from '../../../config/yaml/mapping.ts'
import { readList } from '../../../config/yaml/read-list.ts'
import type { WeighedKey } from './settings.ts'
import { TEXT_FIELDS, TEXT_KEY_FIELDS } from './settings.ts'

/** Reads `api_key` or the list `api_keys`. Returns undefined when it reported a fault. */
export function readKeys(
  section: YamlSection,
  apiKey: Secret | undefined,
): readonly WeighedKey[] | undefined {
  const { mapping, path, reading } = section
  const list = mapping.get('api_keys') ?? null
  const hasApiKey = Boolean(mapping.get('api_key'))
  if (list !== null && !hasApiKey) return readKeyList(list, { ...section, path: [...path, 'api_keys'] })
  if (list === null && hasApiKey) return apiKey && [{ key: apiKey, weight: 1 }]
  reading.report(
    hasApiKey
      ? {
          setting: reading.tree.place([...path, 'api_keys']),
          wrong: 'there is an api_key too',
          fix: 'Keep one of the two.',
        }
      : {
          setting: reading.tree.place([...path, 'api_key']),
          wrong: 'it is missing',
          fix: `Use ${TEXT_FIELDS.api_key.kind.takes}, or list several as api_keys.`,
        },
  )
  return undefined
}

function readKeyList(value: unknown, { path, reading }: YamlSection): readonly WeighedKey[] | undefined {
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  if (items.length === 0) {
    const setting = reading.tree.place(path)
    reading.report({ setting, wrong: 'no key is listed', fix: 'List at least one key.' })
    return undefined
  }
  const read = items.map((item, index) => readKey(item, { path, reading, place: `${index}` }))
  const keys = read.filter((key) => key !== undefined)
  return refuseRepeats(read, { path, reading }) && keys.length === items.length ? keys : undefined
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

/** Reports repeated keys by their places, and returns false when there was one. */
function refuseRepeats(
  keys: readonly (WeighedKey | undefined)[],
  { path, reading }: Omit<YamlSection, 'mapping'>,
): boolean {
  const first = new Map<string, number>()
  let isFine = true
  keys.forEach((weighed, index) => {
    if (weighed === undefined) return
    const secret = weighed.key.reveal()
    const earlier = first.get(secret)
    if (earlier === undefined) {
      first.set(secret, index)
      return
    }
    isFine = false
    reading.report({
      setting: reading.tree.place([...path, `${index}`]),
      wrong: `it is the same key as ${reading.tree.place([...path, `${earlier}`])}`,
      fix: 'Take one of the two out; a weight gives a key more calls.',
    })
  })
  return isFine
}
