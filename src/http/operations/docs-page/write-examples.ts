import { camelCase } from '../../../app/views/present.ts'
import type { Operation } from '../../operation.ts'
import type { ExampleLanguage } from './block.ts'
import { type Example, type ExampleCall, exampleOf } from './example-call.ts'

/** One call in every language. `SLUICE_URL` and the keys are environment variables. */
export function writeExamples(operation: Operation): Record<ExampleLanguage, string> {
  const example = exampleOf(operation)
  return { curl: writeCurl(example), typescript: writeTypeScript(example), python: writePython(example) }
}

function writeCurl({ variables, call }: Example): string {
  const lines = variables.map((variable) =>
    'sample' in variable
      ? `${variable.name.toUpperCase()}=${variable.sample}`
      : `${variable.name.toUpperCase()}=$(${curlCall(variable.earlier, '-s ')} | ${TAKE_ID})`,
  )
  const shown = call.path.replaceAll(VARIABLE, (name) => name.toUpperCase())
  const options = call.reply === 'bytes' ? '-o content ' : call.reply === 'stream' ? '-N ' : ''
  return [...lines, curlCall({ ...call, path: shown }, options)].join('\n')
}

/** Shell command that reads the id of the first object in a reply. */
const TAKE_ID = `sed 's/^[^}]*"id":"\\([^"]*\\)".*/\\1/'`

const VARIABLE = /\$\w+/g

function curlCall({ method, path, key, headers, body }: ExampleCall, options: string): string {
  const lines = [`curl ${options}${method === 'GET' ? '' : `-X ${method} `}"$SLUICE_URL${path}"`]
  if (key === 'SLUICE_API_KEY') lines.push('-H "Authorization: Bearer $SLUICE_API_KEY"')
  if (key === 'SLUICE_ADMIN_KEY') lines.push('-H "X-Admin-Key: $SLUICE_ADMIN_KEY"')
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(jsonText(body))}`)
  }
  return lines.join(' \\\n  ')
}

/** Returns JSON on one line, or on several when one would be long. */
function jsonText(body: unknown): string {
  const line = JSON.stringify(body)
  return line.length <= INLINE_CHARACTERS_MAX ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function writeTypeScript({ variables, call }: Example): string {
  const environment = ['SLUICE_URL', ...(call.key === undefined ? [] : [call.key])]
  const lines = [`const { ${environment.join(', ')} } = process.env`]
  for (const variable of variables) {
    const name = camelCase(variable.name)
    if ('sample' in variable) lines.push(`const ${name} = '${variable.sample}'`)
    else {
      lines.push(`const earlier = await ${typeScriptCall(variable.earlier)}`)
      lines.push(`const ${name} = (await earlier.json())${variable.take.map(memberOf).join('')}`)
    }
  }
  return [...lines, `const response = await ${typeScriptCall(call)}`, TYPESCRIPT_RESULTS[call.reply]].join(
    '\n',
  )
}

function memberOf(member: string | number): string {
  return typeof member === 'number' ? `[${member}]` : `.${member}`
}

const TYPESCRIPT_RESULTS = {
  json: 'console.log(response.status, await response.json())',
  text: 'console.log(response.status, await response.text())',
  bytes: 'console.log(response.status, (await response.arrayBuffer()).byteLength)',
  stream: `console.log(response.status)
for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text)`,
}

function typeScriptCall({ method, path, key, headers, body }: ExampleCall): string {
  const sent = {
    ...(key === 'SLUICE_API_KEY' && { Authorization: `\`Bearer \${SLUICE_API_KEY}\`` }),
    ...(key === 'SLUICE_ADMIN_KEY' && { "'X-Admin-Key'": 'SLUICE_ADMIN_KEY' }),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`'${name}'`, inTypeScript.text(value)]),
    ),
    ...(body !== undefined && { "'Content-Type'": "'application/json'" }),
  }
  const options = [
    method !== 'GET' && `method: '${method}',`,
    Object.keys(sent).length > 0 && `headers: ${membersOf(sent)},`,
    body !== undefined && `body: JSON.stringify(${literal(body, inTypeScript, '  ')}),`,
  ].filter((option) => option !== false)
  const address = `\`\${SLUICE_URL}${path.replaceAll(VARIABLE, (name) => `\${${camelCase(name.slice(1))}}`)}\``
  return options.length === 0
    ? `fetch(${address})`
    : `fetch(${address}, {\n${options.map((option) => `  ${option}\n`).join('')}})`
}

function writePython({ variables, call }: Example): string {
  const lines = ['import json, os, urllib.request', '', 'url = os.environ["SLUICE_URL"]']
  if (call.key !== undefined) lines.push(`key = os.environ["${call.key}"]`)
  for (const variable of variables) {
    if ('sample' in variable) lines.push(`${variable.name} = "${variable.sample}"`)
    else {
      lines.push(
        `earlier = ${pythonCall(variable.earlier)}`,
        'with urllib.request.urlopen(earlier) as response:',
      )
      lines.push(
        `    ${variable.name} = json.load(response)${variable.take.map((member) => `[${JSON.stringify(member)}]`).join('')}`,
      )
    }
  }
  lines.push(`request = ${pythonCall(call)}`, 'with urllib.request.urlopen(request) as response:')
  return [...lines, `    ${PYTHON_RESULTS[call.reply]}`].join('\n')
}

const PYTHON_RESULTS = {
  json: 'print(response.status, json.load(response))',
  text: 'print(response.status, response.read().decode())',
  bytes: 'print(response.status, len(response.read()))',
  stream: `print(response.status)
    for line in response:
        print(line.decode(), end="")`,
}

function pythonCall({ method, path, key, headers, body }: ExampleCall): string {
  const sent = {
    ...(key === 'SLUICE_API_KEY' && { '"Authorization"': 'f"Bearer {key}"' }),
    ...(key === 'SLUICE_ADMIN_KEY' && { '"X-Admin-Key"': 'key' }),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`"${name}"`, inPython.text(value)]),
    ),
    ...(body !== undefined && { '"Content-Type"': '"application/json"' }),
  }
  const options = [
    `f"{url}${path.replaceAll(VARIABLE, (name) => `{${name.slice(1)}}`)}"`,
    method !== 'GET' && `method="${method}"`,
    Object.keys(sent).length > 0 && `headers=${membersOf(sent).replace('{ ', '{').replace(/ }$/, '}')}`,
    body !== undefined && `data=json.dumps(${literal(body, inPython, '    ')}).encode()`,
  ].filter((option) => option !== false)
  return `urllib.request.Request(\n${options.map((option) => `    ${option},\n`).join('')})`
}

function membersOf(members: Readonly<Record<string, string>>): string {
  const parts = Object.entries(members).map(([name, value]) => `${name}: ${value}`)
  return `{ ${parts.join(', ')} }`
}

/** Rules by which a language writes values. */
interface LiteralStyle {
  text(value: string): string
  name(value: string): string
  words: Readonly<Record<string, string>>
  step: string
  /** Between the braces of an object and its members. */
  space: string
}

const inTypeScript: LiteralStyle = {
  text: (value) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  name: (value) => (/^[a-z_]\w*$/i.test(value) ? value : inTypeScript.text(value)),
  words: { true: 'true', false: 'false', null: 'null' },
  step: '  ',
  space: ' ',
}

/** JSON strings without a lone surrogate are Python strings too. */
const inPython: LiteralStyle = {
  text: (value) => JSON.stringify(value),
  name: (value) => JSON.stringify(value),
  words: { true: 'True', false: 'False', null: 'None' },
  step: '    ',
  space: '',
}

const INLINE_CHARACTERS_MAX = 60

function literal(value: unknown, style: LiteralStyle, indent: string): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object' || value === null) return style.words[String(value)] ?? String(value)
  const inner = indent + style.step
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, style, inner))
    : Object.entries(value).map(([name, member]) => `${style.name(name)}: ${literal(member, style, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const space = Array.isArray(value) ? '' : style.space
  const inline = `${open}${space}${parts.join(', ')}${space}${close}`
  if (inline.length <= INLINE_CHARACTERS_MAX && !inline.includes('\n')) return inline
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
