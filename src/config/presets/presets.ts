import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml'
import { loadYaml } from '../yaml/yaml-tree.ts'

/** A common vendor as data: its provider entry, and its models with their prices. */
export interface Preset {
  /** Name of its file, and of the provider. */
  name: string
  title: string
  /** Environment variable of its key; undefined: it needs none. */
  variable: string | undefined
  /** Date and page of its prices; undefined: it has no price list. */
  prices: { taken: string; page: string } | undefined
  /** Names that clients use. */
  models: readonly string[]
  parts: { provider: Node; models: YAMLSeq }
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
  const { isMap, isSeq, parseDocument } = loadYaml()
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
  }
}

/** Every scalar keeps its written form: prices keep their decimals. */
const WRITTEN_AS_IT_STANDS = { schema: 'failsafe' } as const

/** Writes a providers file with these vendors. */
export function writeProvidersFile(presets: readonly Preset[]): string {
  const document = emptyDocument()
  const providers = mapIn(document, 'providers')
  for (const { name, title, variable, parts } of presets) {
    const key = document.createNode(name)
    const needs = variable === undefined ? '' : `; its key is read from ${variable}`
    key.commentBefore = ` ${title}${needs}`
    providers.add({ key, value: parts.provider })
  }
  document.commentBefore = [
    ` Written by "sluice init --preset ${presets.map(({ name }) => name).join(',')}".`,
    ' Every key is described in docs/configuration.md; take out the models that you do not want to offer.',
  ].join('\n')
  return ended(document.toString(WIDE))
}

/** Writes a catalog file with their models and prices. */
export function writeCatalogFile(presets: readonly Preset[]): string {
  const document = emptyDocument()
  const { YAMLSeq: Sequence } = loadYaml()
  const models = new Sequence()
  for (const { parts, prices } of presets)
    models.items.push(
      ...parts.models.items.map((item) => (prices === undefined ? item : withVendorPrices(item))),
    )
  document.set('models', models)
  document.commentBefore = [
    ' Models and prices, for "sluice apply". Customers are charged by "prices": check them first. "vendor_prices" only shows your margin.',
    ...presets.map(({ title, prices }) =>
      prices === undefined
        ? ` ${title}: no price list; write what you charge in place of 0.`
        : ` ${title}: prices of ${prices.taken}, from ${prices.page}`,
    ),
  ].join('\n')
  return ended(document.toString(WIDE))
}

/** The prices of a preset are the vendor's: an operator who charges more sees the margin. */
function withVendorPrices(item: unknown): unknown {
  const { isMap, isNode } = loadYaml()
  if (!isMap(item)) return item
  const model = item.clone() as YAMLMap
  const prices = model.get('prices', true)
  if (isNode(prices)) model.set('vendor_prices', prices.clone())
  return model
}

/** A comment at the end of the last line swallows the final newline. */
function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

const WIDE = { lineWidth: 0, flowCollectionPadding: true }

function emptyDocument(): Document<YAMLMap> {
  const { Document: YamlDocument, YAMLMap: Mapping } = loadYaml()
  const document = new YamlDocument<YAMLMap>(undefined, WRITTEN_AS_IT_STANDS)
  document.contents = new Mapping()
  return document
}

function mapIn(document: Document<YAMLMap>, key: string): YAMLMap {
  const { YAMLMap: Mapping } = loadYaml()
  const map = new Mapping()
  document.set(key, map)
  return map
}
