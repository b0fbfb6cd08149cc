import type { CallBlock } from '../answer.ts'
import { isObject } from '../field.ts'
import type { ChosenTool, ModelRequest, OfferedTool } from '../model-request.ts'
import type { Script, ScriptedCall } from '../script/read-script.ts'
import { fitSchema } from './fit-schema.ts'
import type { Prompt } from './read-prompt.ts'
import { cut } from './reply-text.ts'

/** Returns the calls of this answer. After tool results only a script makes new calls, so that no loop is endless. */
export function chooseCalls(modelRequest: ModelRequest, script: Script, prompt: Prompt): CallBlock[] {
  const { tools, choice, parallelCalls } = modelRequest
  if (choice.kind === 'none' || tools.length === 0) return []
  const calls = [...scripted(tools, script.calls), ...written(tools, script)]
  const allowed = choice.kind === 'tool' ? calls.filter((call) => isChosen(call, choice)) : calls
  if (allowed.length > 0) return parallelCalls ? allowed : allowed.slice(0, 1)
  if (prompt.hasResults) return []
  const must = forced(modelRequest)
  return must.length > 0 ? must : toolInQuestion(modelRequest, script, prompt)
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

function forced({ tools, choice }: ModelRequest): CallBlock[] {
  if (choice.kind !== 'required' && choice.kind !== 'tool') return []
  const tool = choice.kind === 'tool' ? tools.find((offered) => isChosen(offered, choice)) : tools[0]
  return tool === undefined ? [] : [callOf(tool, undefined)]
}

/**
 * Compliance suites offer up to three tools and ask for one in plain text; agents offer many, and their prompts script
 * the calls.
 */
const FEW_TOOLS = 3

/** The tool that a question is about: "What is the weather in Oslo?" calls `get_weather`. */
function toolInQuestion(
  { tools, choice }: ModelRequest,
  { words, calls, write }: Script,
  { text }: Prompt,
): CallBlock[] {
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

function isChosen({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>, choice: ChosenTool): boolean {
  return name === choice.name && (choice.namespace === undefined || namespace === choice.namespace)
}

/** A tool in a namespace is found by its own name, and by both joined with a dot. */
function findTool(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.namespace !== undefined && `${tool.namespace}.${tool.name}` === name)
  )
}

/** Makes a call. Without a scripted input it makes one that fits the schema. */
function callOf({ name, namespace, schema }: OfferedTool, input: string | undefined): CallBlock {
  if (schema === undefined) {
    return { kind: 'call', name, namespace, input: 'text', pieces: cut(input ?? 'text') }
  }
  const text = input ?? JSON.stringify(fitSchema({ ...schema, type: 'object' }))
  return { kind: 'call', name, namespace, input: 'json', pieces: cut(text) }
}

interface FileOrder {
  file: string
  text: string
}

type Way = (tool: OfferedTool, order: FileOrder) => string | undefined

/** Returns an offered tool that can write the file, and its input. It tries the simplest way first. */
export function writeFile(
  tools: readonly OfferedTool[],
  order: FileOrder,
): { tool: OfferedTool; input: string } | undefined {
  for (const way of WAYS) {
    for (const tool of tools) {
      const input = way(tool, order)
      if (input !== undefined) return { tool, input }
    }
  }
  return undefined
}

const PATH_NAMES = ['file_path', 'filePath', 'path', 'filename', 'file_name', 'file']
const TEXT_NAMES = ['content', 'contents', 'file_text', 'text', 'data']
const COMMAND_NAMES = ['cmd', 'command', 'script']

const byWriter: Way = (tool, { file, text }) => {
  if (!/write|create|save/i.test(tool.name)) return undefined
  const path = findProperty(tool, PATH_NAMES)
  const content = findProperty(tool, TEXT_NAMES)
  return path === undefined || content === undefined
    ? undefined
    : withInput(tool, { [path]: file, [content]: text })
}

const byPatch: Way = (tool, order) =>
  tool.name.endsWith('apply_patch') ? withText(tool, patchOf(order)) : undefined

/** A tool that runs JavaScript in which the other tools are functions. */
const byCode: Way = (tool, order) =>
  tool.name.endsWith('exec') && tool.description.includes('tools: { apply_patch(')
    ? withText(tool, `text(await tools.apply_patch(${JSON.stringify(patchOf(order))}))`)
    : undefined

const byShell: Way = (tool, { file, text }) => {
  if (!/shell|bash|exec|command|terminal|run/i.test(tool.name)) return undefined
  const name = findProperty(tool, COMMAND_NAMES)
  if (name === undefined) return undefined
  const line = `printf '%s\\n' ${quote(text)} > ${quote(file)}`
  return withInput(tool, { [name]: takesList(tool, name) ? ['bash', '-lc', line] : line })
}

const WAYS: readonly Way[] = [byWriter, byPatch, byShell, byCode]

function patchOf({ file, text }: FileOrder): string {
  const lines = text.split('\n').map((line) => `+${line}\n`)
  return `*** Begin Patch\n*** Add File: ${file}\n${lines.join('')}*** End Patch\n`
}

function findProperty({ schema }: OfferedTool, names: readonly string[]): string | undefined {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  return names.find((name) => Object.hasOwn(properties, name))
}

function takesList({ schema }: OfferedTool, name: string): boolean {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  const property = properties[name]
  return isObject(property) && property.type === 'array'
}

/** The text itself, or as a JSON member if the tool has a schema. */
function withText(tool: OfferedTool, text: string): string | undefined {
  if (tool.schema === undefined) return text
  const name = findProperty(tool, ['input', 'patch'])
  return name === undefined ? undefined : withInput(tool, { [name]: text })
}

/** Adds the other required members, with values that fit the schema. */
function withInput({ schema }: OfferedTool, input: Readonly<Record<string, unknown>>): string {
  const required = Array.isArray(schema?.required) ? schema.required : []
  const others = required.filter((name) => typeof name === 'string' && !Object.hasOwn(input, name))
  const fitted = others.length === 0 ? {} : fitSchema({ ...schema, type: 'object', required: others })
  return JSON.stringify({ ...input, ...(isObject(fitted) ? fitted : {}) })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
