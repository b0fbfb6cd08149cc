import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { asksForNothing } from '@sluice/dialects/responses/field-policies'
import { isNil } from '@sluice/dialects/values/values'
import type { Exceptions, Stricter } from './exception.ts'
import {
  blocksOf,
  hasPlainHost,
  hasUnusualName,
  holdsAny,
  holdsOddUrl,
  sourcesOf,
  toolsOf,
  trimmed,
  withoutEmpty,
} from './read-bodies.ts'
import { NATIVE_ORDER, VIDEO, VIDEO_ORDER } from './video-exceptions.ts'

const RESPONSES_STRICTER: readonly Stricter[] = [
  misspelledNames({ model: 'a/b', input: 'a' }),
  urlHost({
    ...{ model: 'a/b' },
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://me@a.example/' }] }],
  }),
  {
    name: 'nested-tools',
    why: 'The schema is written out, so that it ends: the tools of a namespace are checked like others.',
    example: {
      model: 'a/b',
      input: 'a',
      tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'function' }] }],
    },
    applies: (body) => toolsOf(body).some(({ type, tools }) => type === 'namespace' && holdsAny(tools)),
  },
]

/** Every intended difference between a published schema and its parser, by operation. */
export const EXCEPTIONS: Readonly<Record<string, Exceptions>> = {
  createTask: VIDEO_ORDER,
  createQuote: VIDEO_ORDER,
  createVideo: VIDEO,
  createNativeTask: NATIVE_ORDER,
  createAsset: {
    stricter: [
      {
        name: 'url-host',
        why: 'A pattern cannot parse: the host must be one, without a user name, and an IPv4 address in plain numbers.',
        example: { url: 'https://010.8.8.8/', asset_type: 'Image' },
        applies: ({ url }) => typeof url === 'string' && !hasPlainHost(url),
      },
    ],
    looser: [
      {
        name: 'blanks-around',
        why: 'Blanks around a URL are dropped, and they do not count.',
        example: { url: ' https://a.example/b ', asset_type: 'Image' },
        read: (body) => trimmed(body, ['url']),
      },
    ],
  },
  createSession: {
    stricter: [
      {
        name: 'url-host',
        why: 'A pattern cannot parse: the host must be one, without a user name.',
        example: { callback_url: 'https://me:secret@a.example/' },
        applies: ({ callback_url: url }) => typeof url === 'string' && !hasPlainHost(url),
      },
      {
        name: 'url-length',
        why: 'The bound counts the address as browsers spell it.',
        example: { callback_url: `https://a.example/${'x'.repeat(4_096)}` },
        applies: ({ callback_url: url }) => (URL.parse(String(url))?.href.length ?? 0) > 4_096,
      },
    ],
    looser: [
      {
        name: 'blanks-around',
        why: 'Blanks around a URL are dropped.',
        example: { callback_url: ' https://a.example/b ' },
        read: (body) => trimmed(body, ['callback_url']),
      },
      {
        name: 'empty-is-left-out',
        why: 'An empty text counts as left out; the list of languages shows what can be chosen.',
        example: { callback_url: 'https://a.example/b', lang: '' },
        read: (body) => withoutEmpty(body, ['lang']),
      },
    ],
  },
  listAssets: {
    stricter: [
      {
        name: 'names-with-brackets',
        why: 'A schema of parameters cannot refuse others: `status[]` means a list to its sender, and ours have commas.',
        example: { 'status[]': 'active' },
        applies: (query) => Object.keys(query).some((name) => name.includes('[')),
      },
    ],
    looser: [
      {
        name: 'empty-is-left-out',
        why: 'A parameter without a value counts as left out; the lists show what can be chosen.',
        example: { sort_by: '' },
        read: (query) => withoutEmpty(query, ['sort_by', 'sort_order']),
      },
    ],
  },
  adminCreateKey: {
    stricter: [
      {
        name: 'moments-of-the-calendar',
        why: 'A pattern cannot count the days of a month.',
        example: { organization_id: 'org_1', user_id: 'usr_1', expires_at: '2027-02-30T00:00:00Z' },
        applies: ({ expires_at: moment }) =>
          typeof moment === 'string' &&
          (Number.isNaN(Date.parse(moment)) ||
            !new Date(moment).toISOString().startsWith(moment.slice(0, 19))),
      },
    ],
  },
  videoResult: {
    looser: [
      {
        name: 'any-notice',
        why: 'A vendor sends what it likes; only the id of its task is read.',
        example: ['a'],
        read: () => ({}),
      },
    ],
  },
  createMessage: messagesOf({ model: 'a/b', max_tokens: 1 }),
  countTokens: messagesOf({ model: 'a/b' }),
  createChatCompletion: {
    stricter: [
      misspelledNames({ model: 'a/b', messages: [{ role: 'user', content: 'a' }] }),
      urlHost({
        ...{ model: 'a/b' },
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://me@a.example/' } }] },
        ],
      }),
    ],
  },
  createEmbeddings: { stricter: [misspelledNames({ model: 'a/b', input: 'a' })] },
  getResponse: {
    stricter: [
      {
        name: 'needs-stream',
        why: 'Only events have numbers: without them the parameter would be ignored.',
        example: { starting_after: '1' },
        applies: ({ starting_after: after, stream }) => after !== undefined && stream !== 'true',
      },
    ],
  },
  createResponse: {
    stricter: [
      {
        name: 'background-is-kept',
        why: 'A reply that goes on without its client has to be kept, and `store: false` forbids that.',
        example: { model: 'a/b', input: 'a', background: true, store: false },
        applies: ({ background, store }) => background === true && store === false,
      },
      ...RESPONSES_STRICTER,
    ],
  },
  compactResponse: {
    stricter: [
      {
        name: 'needs-a-conversation',
        why: 'Either of two members has it.',
        example: { model: 'a/b' },
        applies: ({ input, previous_response_id: previous }) => isNil(input) && asksForNothing(previous),
      },
      ...RESPONSES_STRICTER,
    ],
  },
}

function misspelledNames(least: JsonObject): Stricter {
  return {
    name: 'misspelled-names',
    why: 'A schema cannot compare names without their case; some vendors read `Model` as `model`.',
    example: { ...least, Model: 'a/c' },
    applies: hasUnusualName,
  }
}

function urlHost(example: JsonObject): Stricter {
  return {
    name: 'url-host',
    why: 'A pattern cannot parse: the host must be one, without a user name, and an IPv4 address in plain numbers.',
    example,
    applies: holdsOddUrl,
  }
}

function messagesOf(least: JsonObject): Exceptions {
  const saying = (...content: unknown[]) => ({ ...least, messages: [{ role: 'user', content }] })
  return {
    stricter: [
      misspelledNames({ ...least, messages: [{ role: 'user', content: 'a' }] }),
      urlHost(saying({ type: 'image', source: { type: 'url', url: 'https://[::1' } })),
      {
        name: 'nested-blocks',
        why: 'The schema is written out, so that it ends: blocks within blocks are checked like others.',
        example: saying({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text' }] }),
        applies: (body) =>
          blocksOf(body).some(
            (block) =>
              holdsAny(block.content) || (isJsonObject(block.source) && holdsAny(block.source.content)),
          ),
      },
      {
        name: 'image-bytes',
        why: 'The bound counts decoded bytes, and those of all images together.',
        example: saying({
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(7_340_032) },
        }),
        applies: (body) =>
          sourcesOf(body).some(({ data }) => typeof data === 'string' && data.length > 1_000_000),
      },
    ],
  }
}
