import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { type Node, parseTemplate, type Term } from './parse-template.ts'

/** Objects and notes that a chart renders with these values on top of its own. */
export function renderChart(
  folder: string,
  { release, values = {} }: { release: string; values?: object },
): { objects: Record<string, unknown>[]; notes: string } {
  const { name, version, appVersion } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8'))
  const root = {
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Service: 'Helm', Namespace: 'default' },
    Values: merge(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')), values),
    Files: {
      Glob: (pattern: string) => filesOf(folder, pattern),
      Get: (path: string) => readFileSync(join(folder, path), 'utf8'),
    },
  }
  const templates = globSync('templates/*', { cwd: folder }).sort()
  const trees = new Map(
    templates.map((path) => [path, parseTemplate(readFileSync(join(folder, path), 'utf8'))]),
  )
  const definitions = new Map([...trees.values()].flatMap((tree) => [...tree.definitions]))
  const render = (path: string) => new Rendering(root, definitions).run(trees.get(path)?.nodes ?? [], root)
  return {
    objects: templates
      .filter((path) => path.endsWith('.yaml'))
      .flatMap((path) => parseAllDocuments(render(path)))
      .map((document) => {
        const [fault] = document.errors
        if (fault !== undefined) throw fault
        return document.toJS()
      })
      .filter((object) => object !== null),
    notes: render('templates/NOTES.txt'),
  }
}

function filesOf(folder: string, pattern: string) {
  const files = globSync(pattern, { cwd: folder }).sort()
  return {
    AsConfig: stringify(
      Object.fromEntries(files.map((path) => [basename(path), readFileSync(join(folder, path), 'utf8')])),
    ),
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function merge(own: unknown, given: unknown): unknown {
  if (!isMap(own) || !isMap(given)) return given
  const merged = { ...own }
  for (const [name, value] of Object.entries(given))
    merged[name] = name in own ? merge(own[name], value) : value
  return merged
}

function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isMap(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

const indentBy = (width: number, text: string) => text.replaceAll('\n', `\n${' '.repeat(width)}`)

/** The functions that our templates use; any other name is an error, as in Helm. */
const FUNCTIONS: Record<string, (...args: never[]) => unknown> = {
  quote: (value: unknown) => JSON.stringify(String(value)),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  list: (...values: unknown[]) => values,
  index: (values: unknown[], place: number) => values[place],
  not: (value: unknown) => !isTrue(value),
  toYaml: (value: unknown) => stringify(value).trimEnd(),
  nindent: (width: number, text: string) => `\n${' '.repeat(width)}${indentBy(width, text.trimEnd())}`,
  trunc: (length: number, text: string) => text.slice(0, length),
  trimSuffix: (suffix: string, text: string) =>
    text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  printf: (pattern: string, ...values: unknown[]) => pattern.replaceAll('%s', () => String(values.shift())),
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
}

class Rendering {
  readonly #root: unknown
  readonly #definitions: Map<string, Node[]>

  constructor(root: unknown, definitions: Map<string, Node[]>) {
    this.#root = root
    this.#definitions = definitions
  }

  run(nodes: readonly Node[], dot: unknown, variables: Record<string, unknown> = {}): string {
    return nodes.map((node) => this.#write(node, dot, variables)).join('')
  }

  #write(node: Node, dot: unknown, variables: Record<string, unknown>): string {
    if (node.kind === 'text') return node.text
    const value = this.#pipe(node.pipe, dot, variables)
    if (node.kind === 'print') return value === undefined || value === null ? '' : String(value)
    if (!isTrue(value)) return this.run(node.otherwise, dot, variables)
    if (node.kind === 'if') return this.run(node.body, dot, variables)
    if (node.kind === 'with') return this.run(node.body, value, variables)
    const [first, second] = node.variables
    return Object.entries(Object(value))
      .map(([key, item]) => {
        const bound = second === undefined ? {} : { [String(first)]: key, [second]: item }
        return this.run(node.body, item, { ...variables, ...bound })
      })
      .join('')
  }

  #pipe(pipe: readonly Term[][], dot: unknown, variables: Record<string, unknown>): unknown {
    let result: unknown
    for (const [index, [head, ...rest]] of pipe.entries()) {
      if (head === undefined) throw new Error('A part of a pipeline is empty.')
      const args = rest.map((term) => this.#value(term, dot, variables))
      if (index > 0) args.push(result)
      result = head.kind === 'name' ? this.#call(head.name, args) : this.#value(head, dot, variables, args)
    }
    return result
  }

  #call(name: string, args: unknown[]): unknown {
    if (name === 'include') {
      const [definition, dot] = args
      const nodes = this.#definitions.get(String(definition))
      if (nodes === undefined) throw new Error(`There is no template "${definition}".`)
      return this.run(nodes, dot)
    }
    const run = FUNCTIONS[name]
    if (run === undefined) throw new Error(`The templates use "${name}", which is not known here.`)
    return run(...(args as never[]))
  }

  #value(term: Term, dot: unknown, variables: Record<string, unknown>, args: unknown[] = []): unknown {
    switch (term.kind) {
      case 'literal':
        return term.value
      case 'name':
        return this.#call(term.name, [])
      case 'group':
        return follow(this.#pipe(term.pipe, dot, variables), term.path, args)
      case 'field':
        return follow(dot, term.path, args)
      case 'variable':
        return follow(term.name === '$' ? this.#root : variables[term.name], term.path, args)
    }
  }
}

/** A value that is not there is an error: a wrong name in a template must not pass as empty. */
function follow(from: unknown, path: readonly string[], args: unknown[]): unknown {
  let value = from
  for (const name of path) {
    if (!isMap(value) || !(name in value)) throw new Error(`There is no value "${path.join('.')}".`)
    value = value[name]
  }
  return typeof value === 'function' ? value(...args) : value
}
