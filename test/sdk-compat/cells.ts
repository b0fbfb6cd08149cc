import type { Dialect } from '@sluice/dialects/dialect-facts'
import { JUDGES, type Judge, type JudgedEndpoint, MODES, type Mode } from './sdk-judges.ts'

/** Dialects of the client and of its model's vendor. */
export interface Cell {
  endpoint: JudgedEndpoint
  dialect: Dialect
}

export const CELLS: readonly Cell[] = (['messages', 'responses'] as const).flatMap((endpoint) =>
  (['messages', 'responses', 'chat'] as const).map((dialect) => ({ endpoint, dialect })),
)

/** One question to one judge; as a title it is `<fixture> <cell> <mode> <sdk>`. */
export interface Case extends Cell {
  title: string
  fixture: string
  mode: Mode
  model: string
  judge: Judge
}

/** At most `perProvider` cases go to one provider: fewer than would open its breaker. */
export function casesOf(
  fixturesOf: (cell: Cell) => readonly string[],
  {
    modes = MODES,
    perProvider = Number.POSITIVE_INFINITY,
  }: { modes?: readonly Mode[]; perProvider?: number } = {},
): [title: string, asked: Case][] {
  let made = 0
  return CELLS.flatMap((cell) =>
    fixturesOf(cell).flatMap((fixture) =>
      modes.flatMap((mode) =>
        Object.entries(JUDGES[cell.endpoint]).map(([sdk, judge]): [string, Case] => {
          const title = `${fixture} ${cell.endpoint}->${cell.dialect} ${mode} ${sdk}`
          const model = `native${Math.floor(made++ / perProvider)}/${cell.dialect}`
          return [title, { ...cell, title, fixture, mode, judge, model }]
        }),
      ),
    ),
  )
}

/** A request that lets a vendor answer with any of the fixtures. */
export function bodyFor({ endpoint, model, fixture }: Case): object {
  const prompt = `play:${fixture}`
  if (endpoint === 'responses') {
    return { model, input: prompt, tools: [...TOOLS.map(functionTool), EDIT], store: false }
  }
  return {
    model,
    max_tokens: 1_000,
    messages: [{ role: 'user', content: prompt }],
    tools: [...TOOLS, 'apply_patch', 'edit__apply_patch'].map((name) => ({ name, input_schema: SCHEMA })),
  }
}

const TOOLS = ['get_weather', 'get_time', 'list_files', 'read_file', 'write']
const SCHEMA = { type: 'object', properties: {} }
const EDIT = {
  type: 'namespace',
  name: 'edit',
  description: 'Edits files.',
  tools: [{ type: 'custom', name: 'apply_patch', description: 'Applies a patch.' }],
}

function functionTool(name: string): object {
  return { type: 'function', name, description: name, parameters: SCHEMA, strict: false }
}
