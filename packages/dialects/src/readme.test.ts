import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, CODE = ''] = /```js\n([\s\S]*?)```/.exec(README) ?? []

const BODY = {
  model: 'claude-1',
  max_tokens: 64,
  top_k: 5,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hi' }],
}
const USAGE = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
const WHOLE = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: USAGE,
}
const FRAMES = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: 'lo.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: USAGE },
]

test('the lines of the README convert a request, a reply and a stream, and list the losses', async () => {
  expect(CODE.trimEnd().split('\n')).toHaveLength(10)
  const printed: string[] = []
  const { sent, reply, losses } = await run({
    body: BODY,
    whole: WHOLE,
    frames: [...FRAMES.map((data) => JSON.stringify(data)), '[DONE]'].map((data) => ({ data })),
    newId: (prefix: string) => `${prefix}_2`,
    print: (text: string) => printed.push(text),
  })
  expect(sent.body).toMatchObject({
    model: 'm-1',
    max_completion_tokens: 64,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  })
  expect(reply.body).toMatchObject({
    id: 'msg_1',
    type: 'message',
    model: 'claude-1',
    content: [{ type: 'text', text: 'Hello.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 2 },
  })
  const events = printed.join('').matchAll(/^event: (\w+)$/gm)
  expect([...events].map(([, name]) => name)).toEqual([
    ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_delta'],
    ...['content_block_stop', 'message_delta', 'message_stop'],
  ])
  expect(losses).toEqual(new Set(['top_k']))
})

/** Runs the README's lines unchanged, except that `import` becomes a call of this file's `load`. */
function run(given: Record<string, unknown>) {
  const lines = CODE.replace(/^import \{(.*)\} from ('.*')$/m, (_line, names: string, specifier: string) => {
    return `const {${names.replaceAll(' as ', ': ')}} = await load(${specifier})`
  })
  const load = (specifier: string) => import(specifier)
  const source = `return async () => { ${lines}\nreturn { sent, reply, losses } }`
  return new Function('load', ...Object.keys(given), source)(load, ...Object.values(given))()
}
