import { randomBytes } from 'node:crypto'
import type { Dialect } from '@sluice/dialects/dialect-facts'

export interface BenchRequest {
  path: string
  body: string
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** Base64 with the beginning of a PNG file. */
export function imageOf(bytes: number): string {
  return Buffer.concat([PNG, randomBytes(bytes - PNG.length)]).toString('base64')
}

/** A question in each dialect, about 2 KB with its head. */
export function requestIn(
  dialect: Dialect,
  { model, stream, images = [] }: { model: string; stream: boolean; images?: readonly string[] },
): BenchRequest {
  return { path: PATHS[dialect], body: JSON.stringify(BODIES[dialect]({ model, stream, images })) }
}

interface Asked {
  model: string
  stream: boolean
  /** Base64 of PNG files. */
  images: readonly string[]
}

const PATHS: Record<Dialect, string> = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
}

const SYSTEM =
  'You are the keeper of a lock on a canal. Answer in plain words and stay with the facts. '.repeat(3)
const QUESTION =
  'What happens between the moment a barge enters the chamber and the moment it leaves? '.repeat(6)

const BODIES: Record<Dialect, (asked: Asked) => object> = {
  messages: ({ model, stream, images }) => ({
    ...{ model, stream, max_tokens: 1024, system: SYSTEM, temperature: 0.7 },
    messages: [
      { role: 'user', content: 'Good morning.' },
      { role: 'assistant', content: 'Good morning. What would you like to know?' },
      {
        role: 'user',
        content: [
          { type: 'text', text: QUESTION },
          ...images.map((data) => ({
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data },
          })),
        ],
      },
    ],
  }),
  responses: ({ model, stream, images }) => ({
    ...{ model, stream, max_output_tokens: 1024, instructions: SYSTEM, temperature: 0.7, store: false },
    input: [
      { role: 'user', content: 'Good morning.' },
      { role: 'assistant', content: 'Good morning. What would you like to know?' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: QUESTION },
          ...images.map((data) => ({
            type: 'input_image',
            detail: 'auto',
            image_url: `data:image/png;base64,${data}`,
          })),
        ],
      },
    ],
  }),
  chat: ({ model, stream, images }) => ({
    ...{ model, stream, max_tokens: 1024, temperature: 0.7 },
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: 'Good morning.' },
      { role: 'assistant', content: 'Good morning. What would you like to know?' },
      {
        role: 'user',
        content:
          images.length === 0
            ? QUESTION
            : [
                { type: 'text', text: QUESTION },
                ...images.map((data) => ({
                  type: 'image_url',
                  image_url: { url: `data:image/png;base64,${data}` },
                })),
              ],
      },
    ],
  }),
}
