import {
  completion,
  expectMessagesError,
  expectResponsesError,
  message,
  response,
  type TextClient,
} from './call-text.ts'

type Headers = Record<string, string>

/** The text operations that answer with a reply, and how each says the errors that all of them have. */
export const DIALECTS = [
  {
    operation: 'POST /v1/messages',
    ask: (client: TextClient, text: string, more: object = {}, headers: Headers = {}) =>
      client.messages(message(text, more), headers),
    expectError: expectMessagesError,
    poor: { type: 'billing_error' },
    tooLarge: { type: 'request_too_large' },
    /** Cost of `hello`. */
    helloMicros: 22,
  },
  {
    operation: 'POST /v1/responses',
    ask: (client: TextClient, text: string, more: object = {}, headers: Headers = {}) =>
      client.responses(response(text, more), headers),
    expectError: expectResponsesError,
    poor: { type: 'insufficient_quota', code: 'insufficient_balance' },
    tooLarge: { code: 'body_too_large' },
    helloMicros: 20,
  },
  {
    operation: 'POST /v1/chat/completions',
    ask: (client: TextClient, text: string, more: object = {}, headers: Headers = {}) =>
      client.chat(completion(text, more), headers),
    expectError: expectResponsesError,
    poor: { type: 'insufficient_quota', code: 'insufficient_balance' },
    tooLarge: { code: 'body_too_large' },
    helloMicros: 7,
  },
] as const
