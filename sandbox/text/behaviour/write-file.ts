import type { OfferedTool } from '../asked.ts'
import { isObject } from '../field.ts'
import { fitSchema } from './fit-schema.ts'

interface FileOrder {
  file: string
  text: string
}

type Way = (tool: OfferedTool, order: FileOrder) => string | undefined

/** Calls whichever of the offered tools can write a file, the plainest way first. */
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

/** Free text, or what a gateway makes of it where a wire has no free text. */
function withText(tool: OfferedTool, text: string): string | undefined {
  if (tool.schema === undefined) return text
  const name = findProperty(tool, ['input', 'patch'])
  return name === undefined ? undefined : withInput(tool, { [name]: text })
}

/** What else the tool requires is made to fit. */
function withInput({ schema }: OfferedTool, input: Readonly<Record<string, unknown>>): string {
  const required = Array.isArray(schema?.required) ? schema.required : []
  const others = required.filter((name) => typeof name === 'string' && !Object.hasOwn(input, name))
  const fitted = others.length === 0 ? {} : fitSchema({ ...schema, type: 'object', required: others })
  return JSON.stringify({ ...input, ...(isObject(fitted) ? fitted : {}) })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
