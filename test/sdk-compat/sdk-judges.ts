import Anthropic from '@anthropic-ai/sdk'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import FormerAnthropic from 'anthropic-sdk-0'
import OpenAI from 'openai'
import FormerOpenAI from 'openai-6'
import { foldMessages } from './fold-messages.ts'
import { foldResponses } from './fold-responses.ts'
import type { JudgedGateway } from './start-judged-gateway.ts'

export const MODES = ['helper', 'raw', 'whole'] as const
export type Mode = (typeof MODES)[number]

/** Asks for a reply as `mode` says, and gives the whole reply that the SDK made of it; throws where the SDK does. */
export type Judge = (gateway: JudgedGateway, asked: { body: object; mode: Mode }) => Promise<unknown>

/** The endpoints whose clients are asked about every fixture; chat completions have a file of their own. */
export type JudgedEndpoint = Exclude<TextEndpoint, 'chat'>

/** The official clients of each endpoint, this major and the one before. */
export const JUDGES: Readonly<Record<JudgedEndpoint, Readonly<Record<string, Judge>>>> = {
  messages: {
    'anthropic-1': messagesJudge((options) => new Anthropic(options)),
    'anthropic-0': messagesJudge((options) => new FormerAnthropic(options)),
  },
  responses: {
    'openai-7': responsesJudge((options) => new OpenAI(options)),
    'openai-6': responsesJudge((options) => new FormerOpenAI(options)),
  },
}

interface Options {
  baseURL: string
  apiKey: string
  maxRetries: number
}

/** Calls of each SDK that are used, with untyped bodies. */
interface MessagesClient {
  messages: {
    stream(body: never): { finalMessage(): Promise<unknown> }
    create(body: never): PromiseLike<unknown>
  }
}

interface ResponsesClient {
  responses: {
    stream(body: never): { finalResponse(): Promise<unknown> }
    create(body: never): PromiseLike<unknown>
  }
}

function messagesJudge(open: (options: Options) => MessagesClient): Judge {
  return async ({ url, key }, { body, mode }) => {
    const { messages } = open({ baseURL: url, apiKey: key, maxRetries: 0 })
    if (mode === 'helper') return messages.stream(body as never).finalMessage()
    if (mode === 'whole') return messages.create(body as never)
    return foldMessages(iterable(await messages.create({ ...body, stream: true } as never)))
  }
}

function responsesJudge(open: (options: Options) => ResponsesClient): Judge {
  return async ({ url, key }, { body, mode }) => {
    const { responses } = open({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    if (mode === 'helper') return responses.stream(body as never).finalResponse()
    if (mode === 'whole') return responses.create(body as never)
    return foldResponses(iterable(await responses.create({ ...body, stream: true } as never)))
  }
}

function iterable(stream: unknown): AsyncIterable<Record<string, unknown>> {
  if (typeof stream !== 'object' || stream === null || !(Symbol.asyncIterator in stream)) {
    throw new Error('the SDK gave no stream')
  }
  return stream as AsyncIterable<Record<string, unknown>>
}
