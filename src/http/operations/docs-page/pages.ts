import { STATUS_CODES } from 'node:http'
import { ERRORS } from '../../../domain/errors.ts'
import type { Operation } from '../../operation.ts'
import { ERROR_ENVELOPES, errorEnvelope } from '../openapi/error-envelopes.ts'
import { GROUPS, type Group, type GroupText, groupOf } from '../openapi/group-of.ts'
import { pathParametersOf } from '../openapi/path-parameters.ts'
import { sampleOf } from '../openapi/sample-of.ts'
import type { DocsBlock, DocsPage, LinkRow } from './block.ts'
import { exampleOf } from './example-call.ts'
import { type Field, listFields, typeText } from './list-fields.ts'
import { writeExamples } from './write-examples.ts'

/** Last group for clients; the pages about callbacks and errors follow it. */
const LAST_FOR_CLIENTS: Group = 'account'

/** All pages in reading order; the first is the index. */
export function pagesOf(operations: readonly Operation[]): DocsPage[] {
  const documented = operations.filter(({ undocumented }) => !undocumented)
  const order = Object.keys(GROUPS)
  const groups = [...Map.groupBy(documented, groupOf)].toSorted(
    ([one], [other]) => order.indexOf(one) - order.indexOf(other),
  )
  const pages = groups.map(([name, members]) => groupPage(name, members))
  const at = groups.filter(([name]) => order.indexOf(name) <= order.indexOf(LAST_FOR_CLIENTS)).length
  const all = [...pages.slice(0, at), CALLBACKS_PAGE, ERRORS_PAGE, ...pages.slice(at)]
  const first = documented.find(({ id }) => id === 'createMessage')
  return [indexPage(all, first), ...all]
}

export const INDEX_NAME = 'index'

const SET_UP = `export SLUICE_URL=http://127.0.0.1:8080
export SLUICE_API_KEY=sk-sluice-...`

function indexPage(pages: readonly DocsPage[], first: Operation | undefined): DocsPage {
  return {
    name: INDEX_NAME,
    title: 'Sluice API reference',
    summary: 'One HTTP service for videos, media assets and text models.',
    contents: [],
    blocks: [
      { kind: 'heading', level: 2, text: 'Before you start', id: 'start' },
      {
        kind: 'paragraph',
        text: 'Your operator gives you an API key; the sandbox prints one when it starts. The examples can be pasted into a shell after these lines. Those for operators also need `SLUICE_ADMIN_KEY`: a token of an operator, or `ADMIN_API_KEY` of the gateway.',
      },
      { kind: 'code', language: 'sh', text: SET_UP },
      ...(first === undefined ? [] : exampleBlocks(first)),
      {
        kind: 'paragraph',
        text: 'Send the key as `Authorization: Bearer <key>`; the text endpoints also take it as `x-api-key`. Where a limit is set, every answer says how it stands in `x-ratelimit-limit`, `x-ratelimit-remaining` and `x-ratelimit-reset` (seconds). Bodies are JSON in UTF-8. Times are Unix seconds unless a field says otherwise.',
      },
      {
        kind: 'paragraph',
        text: 'For programs: [openapi.json](/openapi.json), [llms.txt](/llms.txt), and every page as Markdown: put `.md` after its address.',
      },
      ...pages.flatMap(({ name, title, summary, contents }): DocsBlock[] => [
        { kind: 'heading', level: 2, text: `[${title}](/docs/${name})` },
        { kind: 'paragraph', text: summary },
        { kind: 'links', rows: name === ERRORS_PAGE.name ? ERROR_LINKS : contents },
      ]),
    ],
  }
}

function groupPage(name: Group, operations: readonly Operation[]): DocsPage {
  const { title, summary, about }: GroupText = GROUPS[name]
  return {
    name,
    title,
    summary,
    contents: operations.map(
      ({ id, summary: text, method, path }): LinkRow => ({
        id,
        href: `/docs/${name}#${id}`,
        title: text,
        path: `${method} ${path}`,
      }),
    ),
    /** Computed when the page is written, because the index needs the blocks of no other page. */
    get blocks(): DocsBlock[] {
      const intro: DocsBlock[] = about === undefined ? [] : [{ kind: 'paragraph', text: about }]
      return [...intro, ...operations.map(operationBlock)]
    },
  }
}

function operationBlock(operation: Operation): DocsBlock {
  const { id, method, path, summary, description, query, headers, body, replies } = operation
  return {
    kind: 'operation',
    id,
    title: summary,
    method,
    path,
    blocks: [
      ...(description === undefined ? [] : [{ kind: 'paragraph', text: description } as const]),
      ...exampleBlocks(operation),
      ...fieldBlocks('Query', parameterFields(query)),
      ...fieldBlocks('Headers', parameterFields(headers)),
      ...fieldBlocks('Body', body === undefined ? [] : listFields(body.schema)),
      { kind: 'heading', level: 4, text: 'Answers' },
      ...Object.entries(replies).map(([status, reply]) => replyBlock(operation, Number(status), reply)),
    ],
  }
}

/** Example in every language, and where each value of its path comes from. */
function exampleBlocks(operation: Operation): DocsBlock[] {
  const { variables } = exampleOf(operation)
  return [
    { kind: 'example', id: operation.id, texts: writeExamples(operation) },
    ...pathParametersOf(operation.path).flatMap(({ name, sample, description }): DocsBlock[] => {
      if (description === '') return []
      const isReplaced = variables.some((variable) => variable.name === name && 'sample' in variable)
      const text = isReplaced ? `Replace \`${sample}\`.` : `\`${name}\`:`
      return [{ kind: 'paragraph', text: `${text} ${description}` }]
    }),
  ]
}

function replyBlock(
  { area }: Operation,
  status: number,
  { description, schema, contentType }: Operation['replies'][number],
): DocsBlock {
  const isError = status >= 400
  const fields = listFields(schema)
  const envelope = isError && schema === undefined ? errorEnvelope(area).name : undefined
  return {
    kind: 'reply',
    status,
    text: [
      description,
      ...(contentType === undefined ? [] : [`\`${contentType}\``]),
      ...(envelope === undefined ? [] : [`[${envelope}](/docs/errors#${envelope})`]),
    ].join(' '),
    blocks: [
      ...(fields.length > 0 ? [{ kind: 'fields', fields } as const] : []),
      ...(!isError && fields.length > 0
        ? [{ kind: 'sample', text: JSON.stringify(sampleOf(schema), null, 2) } as const]
        : []),
    ],
  }
}

/** Text of a status line, such as `404 Not Found`. */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status]}`
}

function fieldBlocks(title: string, fields: readonly Field[]): DocsBlock[] {
  if (fields.length === 0) return []
  return [
    { kind: 'heading', level: 4, text: title },
    { kind: 'fields', fields },
  ]
}

function parameterFields(parameters: Operation['query'] = {}): Field[] {
  return Object.entries(parameters).map(([name, { schema, description }]) => ({
    name,
    type: typeText(schema),
    required: false,
    description,
  }))
}

export const ERROR_LINKS: readonly LinkRow[] = Object.keys(ERRORS).map((code) => ({
  id: `error-${code}`,
  href: `/docs/errors#error-${code}`,
  title: code,
}))

/** Page with the error envelopes, and then every error code; `#error-<code>` links to one code. */
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

const MESSAGE = `POST /your/callback HTTP/1.1
content-type: application/json
webhook-id: msg_019a2b3c...
webhook-timestamp: 1767323045
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"id":"task_019a2b3c...","object":"video.generation.task","status":"succeeded",
 "content":{"video_url":"https://..."},"metadata":{"order":17}}`

const CHECK = `import { createHmac, timingSafeEqual } from 'node:crypto'

// headers: of the request; body: its bytes, before any JSON parser; secret: whsec_...
export function isGenuine(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

const CHECK_IN_PYTHON = `import base64, hashlib, hmac, time

# headers: of the request, with lower-case names; body: its bytes, before any JSON parser; secret: whsec_...
def is_genuine(headers, body, secret):
    at = headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers.get("webhook-id", "")}.{at}.'.encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)`

/** Page about callbacks; the signature follows Standard Webhooks. */
const CALLBACKS_PAGE: DocsPage = {
  name: 'callbacks',
  title: 'Callbacks',
  summary: 'What your server gets when a video task ends, and how to check its signature.',
  contents: [],
  blocks: [
    {
      kind: 'paragraph',
      text: 'A task with a `callback_url` sends its end there as one POST: the body is what [Get](/docs/video#getTask) answers. Any 2xx within 10 seconds means that you have it; 5xx and silence are tried again twice, after 1 and 3 seconds.',
    },
    { kind: 'code', language: 'http', text: MESSAGE },
    { kind: 'heading', level: 2, text: 'Check the signature', id: 'signature' },
    {
      kind: 'paragraph',
      text: 'Your operator gives you the secret of your organization, `whsec_...`. The signature is the HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the body, joined with dots, in base64. There may be several, divided by spaces: one of them must fit. Refuse a time that is more than 5 minutes away, and compare in constant time. Libraries for Standard Webhooks do the same.',
    },
    { kind: 'code', language: 'js', text: CHECK },
    { kind: 'code', language: 'python', text: CHECK_IN_PYTHON },
  ],
}
