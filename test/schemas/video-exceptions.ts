import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { METADATA_BYTES_MAX, METADATA_MEMBERS_MAX } from '../../src/app/video/create-body/bounds.ts'
import { FAMILIES } from '../../src/domain/video/families/families.ts'
import type { Exceptions } from './exception.ts'
import {
  countMembers,
  hasPlainHost,
  itemsOf,
  textItem,
  trimmed,
  trimUrl,
  urlsOf,
  withItems,
} from './read-bodies.ts'

export const VIDEO_ORDER: Exceptions = {
  stricter: [
    {
      name: 'url-host',
      why: 'A pattern cannot parse: the host must be one, without a user name, and an IPv4 address in plain numbers.',
      example: { model: 'a', content: [textItem('a')], callback_url: 'https://me@a.example/' },
      applies: (body) => urlsOf(body).some((url) => !url.startsWith('asset:') && !hasPlainHost(url)),
    },
    {
      name: 'metadata-size',
      why: 'The bounds count bytes of JSON, and members over all levels.',
      example: { model: 'a', content: [textItem('a')], metadata: { a: 'x'.repeat(METADATA_BYTES_MAX) } },
      applies: ({ metadata }) =>
        Buffer.byteLength(JSON.stringify(metadata ?? {})) > METADATA_BYTES_MAX ||
        countMembers(metadata) > METADATA_MEMBERS_MAX,
    },
  ],
  looser: [
    {
      name: 'dropped-items',
      why: 'The contract drops items without effect and members of other kinds of items; the schema shows those with effect.',
      example: { model: 'a', content: [textItem('a'), 7, { type: 'other' }, textItem(' ')] },
      read: (body) => (Array.isArray(body.content) ? { ...body, content: itemsOf(body.content) } : body),
    },
    {
      name: 'blanks-around',
      why: 'Blanks around a word or a URL are dropped; a list of words cannot say so.',
      example: { model: 'a', content: [textItem('a')], ratio: ' 16:9 ' },
      read: (body) =>
        withItems(
          trimmed(body, ['ratio', 'resolution', 'service_tier', 'task_type', 'callback_url']),
          trimUrl,
        ),
    },
    {
      name: 'unused-task-type',
      why: 'A family without task types does not look at the field.',
      example: { model: 'vendorA/gen-2.0', content: [textItem('a')], task_type: 7 },
      read: ({ task_type, ...body }) =>
        typeof body.model === 'string' && FAMILIES.a.models.has(body.model) ? body : { ...body, task_type },
    },
  ],
}

/** The schema of the native format leaves out a field that no model of family A uses. */
export const NATIVE_ORDER: Exceptions = {
  stricter: [
    ...(VIDEO_ORDER.stricter ?? []),
    {
      name: 'task-type-of-an-unknown-model',
      why: 'The reader is that of the contract, which reads the field for every model but those of family A.',
      example: { model: 'a', content: [textItem('a')], task_type: 7 },
      applies: ({ task_type: type }) =>
        type !== undefined && type !== null && !(typeof type === 'string' && [...type.trim()].length <= 128),
    },
  ],
  looser: (VIDEO_ORDER.looser ?? []).filter(({ name }) => name !== 'unused-task-type'),
}

/** The link of a reference, in both of its spellings. */
function referenceOf({ input_reference: reference }: JsonObject): string[] {
  const url = isJsonObject(reference) ? reference.image_url : reference
  return typeof url === 'string' ? [url] : []
}

export const VIDEO: Exceptions = {
  stricter: [
    {
      name: 'url-host',
      why: 'A pattern cannot parse: the host must be one, without a user name, and an IPv4 address in plain numbers.',
      example: { prompt: 'a', input_reference: 'https://me@a.example/' },
      applies: (body) =>
        [...urlsOf(body), ...referenceOf(body)].some(
          (url) => !url.startsWith('asset:') && !hasPlainHost(url),
        ),
    },
    {
      name: 'metadata-size',
      why: 'The bounds count bytes of JSON, and members over all levels.',
      example: { prompt: 'a', metadata: { a: 'x'.repeat(METADATA_BYTES_MAX) } },
      applies: ({ metadata }) =>
        Buffer.byteLength(JSON.stringify(metadata ?? {})) > METADATA_BYTES_MAX ||
        countMembers(metadata) > METADATA_MEMBERS_MAX,
    },
  ],
  looser: [
    {
      name: 'blanks-around',
      why: 'Blanks around a URL are dropped.',
      example: { prompt: 'a', input_reference: ' https://a.example/b ' },
      read: ({ input_reference: reference, ...body }) => ({
        ...trimmed(body, ['callback_url']),
        input_reference: isJsonObject(reference)
          ? trimmed(reference, ['image_url'])
          : typeof reference === 'string'
            ? reference.trim()
            : reference,
      }),
    },
  ],
}
