import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node, YAMLSeq } from 'yaml'
import { loadYaml } from '../yaml/yaml-tree.ts'

/** A common vendor: its provider entry, and its models with their prices. */
export interface Preset {
  /** Name of the preset file and of the provider. */
  name: string
  title: string
  /** Environment variable of the vendor's API key; undefined: the vendor needs no key. */
  variable: string | undefined
  /** Date and web page of the prices; undefined: the vendor has no price list. */
  prices: { taken: string; page: string } | undefined
  /** Names by which clients request the models. */
  models: readonly string[]
  parts: { provider: Node; models: YAMLSeq }
  /** `parts` as plain values. */
  plain: { provider: Readonly<Record<string, unknown>>; models: readonly object[] }
}

/** Data files beside the program's sources. */
const FOLDER = join(import.meta.dirname, '../../../presets')

/** Returns the presets in alphabetical order. */
export function loadPresets(): Preset[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readPreset(file.replace(/\.yaml$/, ''), readFileSync(join(FOLDER, file), 'utf8')))
}

function readPreset(name: string, source: string): Preset {
  const { isMap, isSeq, parse, parseDocument } = loadYaml()
  const document = parseDocument(source, WRITTEN_AS_IT_STANDS)
  const root = document.contents
  const provider = isMap(root) ? root.get('provider', true) : undefined
  const models = isMap(root) ? root.get('models', true) : undefined
  const text = (key: string) => document.get(key)?.toString()
  const title = text('title')
  const [taken, page] = [text('prices_taken'), text('prices_page')]
  if (document.errors.length > 0 || title === undefined || !isMap(provider) || !isSeq(models))
    throw new Error(`presets/${name}.yaml is damaged: install the program again`)
  return {
    name,
    title,
    variable: text('variable'),
    prices: taken === undefined || page === undefined ? undefined : { taken, page },
    models: models.items.flatMap((item) => (isMap(item) ? [String(item.get('name'))] : [])),
    parts: { provider, models },
    plain: parse(source),
  }
}

/** Keeps the written form of every scalar, so that prices keep their decimals. */
export const WRITTEN_AS_IT_STANDS = { schema: 'failsafe' } as const
