import { expect, it } from 'vitest'
import type { OfferedTool } from '../model-request.ts'
import { writeFile } from './choose-calls.ts'

const ORDER = { file: 'a b.txt', text: "it's" }
const PATCH = "*** Begin Patch\n*** Add File: a b.txt\n+it's\n*** End Patch\n"
const LINE = `printf '%s\\n' 'it'\\''s' > 'a b.txt'`

function tool(name: string, properties?: Record<string, unknown>, required: string[] = []): OfferedTool {
  const schema = properties && { type: 'object', properties, required }
  return { name, namespace: undefined, description: '', schema }
}

const text = { type: 'string' }
const shell = tool('shell', { command: { type: 'array', items: text } }, ['command'])

it.each<[string, OfferedTool[], unknown]>([
  [
    'Write',
    [tool('Bash', { command: text }), tool('Write', { file_path: text, content: text })],
    { file_path: 'a b.txt', content: "it's" },
  ],
  ['write_file', [tool('write_file', { path: text, contents: text })], { path: 'a b.txt', contents: "it's" }],
  ['apply_patch', [shell, tool('apply_patch')], PATCH],
  ['apply_patch', [tool('apply_patch', { input: text })], { input: PATCH }],
  ['exec_command', [tool('exec_command', { cmd: text }, ['cmd'])], { cmd: LINE }],
  ['shell', [shell], { command: ['bash', '-lc', LINE] }],
  ['Bash', [tool('Bash', { command: text, why: text }, ['command', 'why'])], { command: LINE, why: 'text' }],
  [
    'exec',
    [
      {
        ...tool('exec'),
        description: 'declare const tools: { apply_patch(input: string): Promise<unknown>; }',
      },
    ],
    `text(await tools.apply_patch(${JSON.stringify(PATCH)}))`,
  ],
])('writes with %s', (name, tools, input) => {
  const found = writeFile(tools, ORDER)
  expect(found?.tool.name).toBe(name)
  expect(typeof input === 'string' ? found?.input : JSON.parse(found?.input ?? '')).toEqual(input)
})

it('writes nothing without a suitable tool', () => {
  expect(writeFile([tool('look_up', { path: text }), tool('exec')], ORDER)).toBeUndefined()
})
