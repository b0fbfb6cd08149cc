import { expect, test } from 'vitest'
import type { ModelRequest, OfferedTool, RequestToolChoice } from '../model-request.ts'
import { readScript } from '../script/read-script.ts'
import { chooseCalls } from './choose-calls.ts'

const sendOf = (namespace?: string): OfferedTool => ({
  ...{ name: 'send', namespace, description: '' },
  schema: { type: 'object', properties: {} },
})
const TOOLS = [sendOf('mail'), sendOf('chat')]

function chosen(choice: RequestToolChoice, text: string, tools = TOOLS) {
  const modelRequest = { tools, choice, parallelCalls: true } as Partial<ModelRequest> as ModelRequest
  const prompt = { text, images: 0, documents: 0, hasResults: false }
  return chooseCalls(modelRequest, readScript(text), prompt).map(
    ({ namespace, name }) => `${namespace}.${name}`,
  )
}

const choiceOf = (namespace?: string): RequestToolChoice => ({ kind: 'tool', name: 'send', namespace })

test('a chosen tool of a namespace is called, and not one of the same name in another namespace', () => {
  expect(chosen(choiceOf('chat'), 'go')).toEqual(['chat.send'])
  expect(chosen(choiceOf('mail'), 'go')).toEqual(['mail.send'])
  expect(chosen(choiceOf('post'), 'go')).toEqual([])
})

test('of scripted calls only that of the chosen tool is made', () => {
  const script = '[call mail.send {}] [call chat.send {}]'
  expect(chosen({ kind: 'auto' }, script)).toEqual(['mail.send', 'chat.send'])
  expect(chosen(choiceOf('chat'), script)).toEqual(['chat.send'])
})

test('a choice without a namespace takes the first tool of this name', () => {
  expect(chosen(choiceOf(), 'go')).toEqual(['mail.send'])
  expect(chosen(choiceOf(), 'go', [...TOOLS, sendOf()])).toEqual(['mail.send'])
})

test('a script finds a tool by its own name, and by both names joined', () => {
  expect(chosen({ kind: 'auto' }, '[call send {}]')).toEqual(['mail.send'])
  expect(chosen({ kind: 'auto' }, '[call chat.send {}]')).toEqual(['chat.send'])
})
