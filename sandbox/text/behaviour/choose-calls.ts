import type { CallBlock } from '../answer.ts'
import type { Asked, OfferedTool } from '../asked.ts'
import type { Script, ScriptedCall } from '../script/read-script.ts'
import { fitSchema } from './fit-schema.ts'
import type { Prompt } from './read-prompt.ts'
import { cut } from './reply-text.ts'
import { writeFile } from './write-file.ts'

/** The tools that this answer calls. After results there are none unless the prompt asks anew: no loop is endless. */
export function chooseCalls(asked: Asked, script: Script, prompt: Prompt): CallBlock[] {
  const { tools, choice, parallelCalls } = asked
  if (choice.kind === 'none' || tools.length === 0) return []
  const calls = [...scripted(tools, script.calls), ...written(tools, script)]
  const allowed = choice.kind === 'tool' ? calls.filter(({ name }) => name === choice.name) : calls
  if (allowed.length > 0) return parallelCalls ? allowed : allowed.slice(0, 1)
  if (prompt.hasResults) return []
  const must = forced(asked)
  return must.length > 0 ? must : wished(asked, script, prompt)
}

function scripted(tools: readonly OfferedTool[], calls: readonly ScriptedCall[]): CallBlock[] {
  return calls.flatMap(({ name, input }) => {
    const tool = findTool(tools, name)
    return tool === undefined ? [] : [callOf(tool, input === '' ? undefined : input)]
  })
}

function written(tools: readonly OfferedTool[], { write }: Script): CallBlock[] {
  const order = write === undefined ? undefined : writeFile(tools, write)
  return order === undefined ? [] : [callOf(order.tool, order.input)]
}

function forced({ tools, choice }: Asked): CallBlock[] {
  if (choice.kind !== 'required' && choice.kind !== 'tool') return []
  const tool = choice.kind === 'tool' ? findTool(tools, choice.name) : tools[0]
  return tool === undefined ? [] : [callOf(tool, undefined)]
}

/** Compliance suites offer a tool or two and ask for one in plain words; agents offer many, and script what they want. */
const FEW_TOOLS = 3

/** The tool that a question is about: "What is the weather in Oslo?" is one for `get_weather`. */
function wished({ tools, choice }: Asked, { words, calls, write }: Script, { text }: Prompt): CallBlock[] {
  const isScripted = words.size > 0 || calls.length > 0 || write !== undefined
  if (choice.kind !== 'auto' || tools.length > FEW_TOOLS || isScripted) return []
  const said = new Set(text.toLowerCase().match(/[a-z]+/g))
  const tool = tools.find(({ name }) => {
    const about = wordsOf(name).filter((word) => !VERBS.has(word))
    return text.includes('?') && about.length > 0 && about.every((word) => said.has(word))
  })
  return tool === undefined ? [] : [callOf(tool, undefined)]
}

function wordsOf(name: string): string[] {
  const apart = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return apart.match(/[a-z]{3,}/g) ?? []
}

const VERBS: ReadonlySet<string> = new Set([
  ...[
    'get',
    'set',
    'fetch',
    'find',
    'look',
    'list',
    'read',
    'run',
    'make',
    'create',
    'search',
    'query',
    'call',
  ],
  ...['current', 'the', 'for', 'tool', 'function'],
])

/** A tool in a namespace is found by its own name, and by both joined with a dot. */
function findTool(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.namespace !== undefined && `${tool.namespace}.${tool.name}` === name)
  )
}

/** Without an input one is made to fit. */
function callOf({ name, namespace, schema }: OfferedTool, input: string | undefined): CallBlock {
  if (schema === undefined) {
    return { kind: 'call', name, namespace, input: 'text', pieces: cut(input ?? 'text') }
  }
  const text = input ?? JSON.stringify(fitSchema({ ...schema, type: 'object' }))
  return { kind: 'call', name, namespace, input: 'json', pieces: cut(text) }
}
