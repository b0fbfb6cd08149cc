import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal, parseUsdMicros } from '../../domain/billing/usd.ts'
import { ConfigError } from '../config-error.ts'
import { asWritten, setPlaceholdersAside } from '../yaml/placeholders.ts'
import { loadYaml, parseYaml } from '../yaml/yaml-tree.ts'
import { type Preset, WRITTEN_AS_IT_STANDS } from './presets.ts'

export interface MergedFile {
  text: string
  /** Names of the providers or models that the file already contained; the merge leaves them unchanged. */
  kept: string[]
}

/** The file to extend; undefined creates one. */
export type ExistingFile = { name: string; source: string } | undefined

/** Adds vendors to a providers file. Its entries and comments stay. */
export function mergeProviders(presets: readonly Preset[], existing?: ExistingFile): MergedFile {
  const document = open(existing)
  const providers = collectionIn(document, 'providers', 'map')
  const kept: string[] = []
  for (const { name, title, variable, parts } of presets) {
    if (providers.has(name)) {
      kept.push(name)
      continue
    }
    const key = document.createNode(name)
    const needs = variable === undefined ? '' : `; its key is read from ${variable}`
    key.commentBefore = ` ${title}${needs}`
    providers.add({ key, value: parts.provider })
  }
  if (existing === undefined)
    document.commentBefore = [
      ` Written by "sluice init --preset ${presets.map(({ name }) => name).join(',')}".`,
      ' Every key is described in docs/configuration.md; take out the models that you do not want to offer.',
    ].join('\n')
  return { text: written(document), kept }
}

/** Adds the vendors' models and prices to a catalog file. Its rows and comments stay. */
export function mergeCatalog(
  presets: readonly Preset[],
  { existing, markupPercent = 0 }: { existing?: ExistingFile; markupPercent?: number } = {},
): MergedFile {
  const document = open(existing)
  const models = collectionIn(document, 'models', 'seq')
  const names = new Set(rowsOf(models).map((row) => String(row.get('name'))))
  const numberOf = (row: YAMLMap) => Number(row.get('model_id'))
  const taken = new Set(rowsOf(models).map(numberOf))
  const planned = new Set(presets.flatMap(({ parts }) => rowsOf(parts.models).map(numberOf)))
  const kept: string[] = []
  for (const preset of presets) {
    let isFirst = true
    for (const item of rowsOf(preset.parts.models)) {
      const name = String(item.get('name'))
      if (names.has(name)) {
        kept.push(name)
        continue
      }
      const row = item.clone() as YAMLMap
      // No model may get the number of another.
      const number = taken.has(numberOf(item)) ? Math.max(...taken, ...planned) + 1 : numberOf(item)
      taken.add(number)
      row.set('model_id', document.createNode(String(number)))
      if (preset.prices !== undefined) {
        withVendorPrices(row, markupPercent)
        row.set('prices_taken', document.createNode(preset.prices.taken))
      }
      if (isFirst) row.commentBefore = sourceOf(preset)
      isFirst = false
      models.items.push(row)
    }
  }
  if (existing === undefined)
    document.commentBefore =
      ' Models and prices, for "sluice apply". Customers are charged by "prices": check them first. "vendor_prices" only shows your margin.'
  return { text: written(document), kept }
}

function sourceOf({ title, prices }: Preset): string {
  return prices === undefined
    ? ` ${title}: no price list; write what you charge in place of 0.`
    : ` ${title}: prices of ${prices.taken}, from ${prices.page}`
}

function rowsOf({ items }: YAMLSeq): YAMLMap[] {
  return items.filter(loadYaml().isMap)
}

function open(existing: ExistingFile): Document<Node> {
  const { Document: YamlDocument, parseDocument, YAMLMap: Mapping } = loadYaml()
  const document =
    existing === undefined
      ? new YamlDocument<Node>(undefined, WRITTEN_AS_IT_STANDS)
      : parseDocument<Node>(checked(existing), WRITTEN_AS_IT_STANDS)
  document.contents ??= new Mapping()
  return document
}

/** Throws a `ConfigError` that names the position of a fault in the file. */
function checked({ name, source }: NonNullable<ExistingFile>): string {
  const parsed = parseYaml(source, name)
  if ('faults' in parsed) throw new ConfigError(parsed.faults)
  const { root } = parsed.tree
  if (root === null || (typeof root === 'object' && !Array.isArray(root))) return setPlaceholdersAside(source)
  throw new ConfigError([
    { setting: name, wrong: 'it is not a mapping', fix: 'Move it away, or replace it with --force.' },
  ])
}

function collectionIn(document: Document<Node>, key: string, kind: 'map'): YAMLMap
function collectionIn(document: Document<Node>, key: string, kind: 'seq'): YAMLSeq
function collectionIn(document: Document<Node>, key: string, kind: 'map' | 'seq'): YAMLMap | YAMLSeq {
  const { isMap, isSeq, YAMLMap: Mapping, YAMLSeq: Sequence } = loadYaml()
  const found = document.get(key, true)
  if (kind === 'map' ? isMap(found) : isSeq(found)) {
    const collection = found as YAMLMap | YAMLSeq
    if (collection.items.length === 0) collection.flow = false
    return collection
  }
  const made = kind === 'map' ? new Mapping() : new Sequence()
  document.set(key, made)
  return made
}

/** The YAML library omits the final newline after a comment on the last line. */
function written(document: Document<Node>): string {
  const text = asWritten(document.toString({ lineWidth: 0, flowCollectionPadding: true }))
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Copies a preset's prices to `vendor_prices`, and adds the markup to `prices`. */
export function withVendorPrices(model: YAMLMap, markupPercent: number): void {
  const { isMap, isNode, isSeq } = loadYaml()
  const prices = model.get('prices', true)
  if (!isNode(prices)) return
  model.set('vendor_prices', prices.clone())
  if (!isSeq(prices)) return
  for (const row of prices.items)
    if (isMap(row))
      for (const amount of AMOUNTS)
        if (row.has(amount)) row.set(amount, markedUp(String(row.get(amount)), markupPercent))
}

/** `times` is not among them: it multiplies prices that already contain the markup. */
const AMOUNTS = ['usd_per_million', 'usd'] as const

/** Returns the price with the markup, rounded up to six decimals. */
export function markedUp(usd: string, percent: number): string {
  const cost = parseUsdMicros(usd)
  if (cost === undefined) throw new RangeError(`${usd} is not an amount of US dollars`)
  const shares = BigInt(Math.round(percent * 100)) + 10_000n
  return formatUsdDecimal(micros(Number((BigInt(cost) * shares + 9_999n) / 10_000n)))
}
