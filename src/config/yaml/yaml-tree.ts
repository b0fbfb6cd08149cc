import { createRequire } from 'node:module'
import type { Document } from 'yaml'
import type { ConfigProblem } from '../config-error.ts'
import { asWritten, setPlaceholdersAside } from './placeholders.ts'

export interface YamlTree {
  /** Texts, lists and mappings; null for an empty value. */
  root: unknown
  /** Returns the position of a path for messages, such as "sluice.yaml:4:5 providers.vendorA". */
  place(path: readonly string[]): string
}

/** Keeps the text of every scalar (failsafe schema), so that a key of digits or a model `1.0` survives. */
export function parseYaml(
  source: string,
  fileName: string,
): { tree: YamlTree } | { faults: ConfigProblem[] } {
  const { LineCounter, parseDocument } = loadYaml()
  const lineCounter = new LineCounter()
  const document = parseDocument(setPlaceholdersAside(source), {
    schema: 'failsafe',
    customTags: ['null'],
    stringKeys: true,
    // The pretty form quotes the line, which may contain an API key.
    prettyErrors: false,
    lineCounter,
  })
  const position = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset)
    return `${fileName}:${line}:${col}`
  }
  const problems = [...document.errors, ...document.warnings]
  if (problems.length > 0) {
    return { faults: problems.map(({ pos, message }) => notYaml(position(pos[0]), message)) }
  }
  try {
    const root: unknown = document.toJS()
    const place = (path: readonly string[]): string => {
      const where = position(startOf(document, path))
      return path.length === 0 ? where : `${where} ${asWritten(path.join('.'))}`
    }
    return { tree: { root, place } }
  } catch (error) {
    // The file has an alias without an anchor, or so many aliases that they would fill the memory.
    return { faults: [notYaml(fileName, error instanceof Error ? error.message : 'it cannot be read')] }
  }
}

/** Loads the library on demand: without a providers file the gateway starts without it. */
export function loadYaml(): typeof import('./yaml.ts') {
  return createRequire(import.meta.url)('./yaml.ts')
}

/** Returns the offset of a path, or of its nearest parent when the path does not exist. */
function startOf(document: Document.Parsed, path: readonly string[]): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  if (loadYaml().isNode(node)) return node.range?.[0] ?? 0
  return path.length === 0 ? 0 : startOf(document, path.slice(0, -1))
}

function notYaml(setting: string, message: string): ConfigProblem {
  return { setting, wrong: `not valid YAML: ${asWritten(message)}`, fix: 'Correct the file at this place.' }
}
