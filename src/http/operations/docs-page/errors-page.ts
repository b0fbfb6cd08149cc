import { STATUS_CODES } from 'node:http'
import { ERRORS } from '../../../domain/errors.ts'
import { ERROR_ENVELOPES } from '../openapi/error-envelopes.ts'
import type { DocsBlock, DocsPage, LinkRow } from './block.ts'
import { listFields } from './list-fields.ts'

export const ERROR_LINKS: readonly LinkRow[] = Object.keys(ERRORS).map((code) => ({
  id: `error-${code}`,
  href: `/docs/errors#error-${code}`,
  title: code,
}))

/** Envelopes, then the whole catalog; `#error-<code>` links to one code. */
export const ERRORS_PAGE: DocsPage = {
  name: 'errors',
  title: 'Errors',
  summary: 'The shape of errors on every endpoint, and each code with what to do about it.',
  contents: [
    ...ERROR_ENVELOPES.map(({ name }) => ({ id: name, href: `/docs/errors#${name}`, title: name })),
    { id: 'codes', href: '/docs/errors#codes', title: 'Codes' },
  ],
  blocks: [
    {
      kind: 'paragraph',
      text: 'An error says what is wrong in a sentence and, in most envelopes, in a `code` that a program can rely on. Every answer carries `x-request-id`; tell it when you ask about one. Every 429 and 503 carries `Retry-After` in seconds.',
    },
    ...ERROR_ENVELOPES.flatMap(({ name, schema }): DocsBlock[] => [
      { kind: 'heading', level: 3, text: name, id: name },
      { kind: 'fields', fields: listFields(schema).map(shorten) },
    ]),
    { kind: 'heading', level: 2, text: 'Codes', id: 'codes' },
    ...[...Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)].flatMap(
      ([status, errors]): DocsBlock[] => [
        { kind: 'heading', level: 4, text: `${status} ${STATUS_CODES[status]}` },
        { kind: 'codes', rows: errors.map(([code, { message, advice }]) => ({ code, message, advice })) },
      ],
    ),
  ],
}

/** Shortens the type, because the list of all codes follows. */
function shorten<F extends { name: string; type: string }>(field: F): F {
  return field.name === 'error.code' ? { ...field, type: 'string' } : field
}
