import { createHash } from 'node:crypto'
import { ApiError } from '../../../domain/api-error.ts'
import { readMember } from '../../body/request-body.ts'
import { type Operation, openOperation } from '../../operation.ts'
import { API_VERSION } from '../openapi/group-of.ts'
import { INDEX_NAME, pagesOf } from './pages.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'
import { writeHtml } from './write-html.ts'
import { writeLlmsText, writeMarkdown } from './write-markdown.ts'

/** Takes a function, because the list of operations contains these operations and is not complete yet. */
export function docsOperations(operations: () => readonly Operation[]): Operation[] {
  let written: DocsFiles | undefined
  const files = () => {
    written ??= writeFiles(operations())
    return written
  }
  return [
    openOperation('docs', 'GET /docs', {
      summary: 'This reference: where to start, and a list of its pages',
      replies: { 200: { description: 'The page.', contentType: 'text/html' } },
      serve: (_parts, _request, reply) => reply.headers(HTML_HEADERS).send(files().pages.get(INDEX_NAME)),
    }),
    openOperation('docsPage', 'GET /docs/:page', {
      summary: 'A page of this reference',
      description: 'A name that ends in `.md` gives the page as Markdown.',
      example: { path: { page: 'text.md' } },
      replies: {
        200: { description: 'The page.', contentType: 'text/html', alsoAs: 'text/markdown' },
        404: { description: 'There is no such page.' },
      },
      serve(_parts, { params }, reply) {
        const name = String(readMember(params, 'page'))
        const file = files().pages.get(name)
        if (file === undefined) throw new ApiError('not_found')
        return reply.headers(name.endsWith('.md') ? MARKDOWN_HEADERS : HTML_HEADERS).send(file)
      },
    }),
    openOperation('llmsText', 'GET /llms.txt', {
      summary: 'List the pages of this reference for agents',
      replies: { 200: { description: 'The list, as llmstxt.org describes it.', contentType: 'text/plain' } },
      serve: (_parts, _request, reply) => reply.headers(TEXT_HEADERS).send(files().list),
    }),
  ]
}

interface DocsFiles {
  /** HTML by the name of the page, Markdown by the name with `.md`. */
  pages: ReadonlyMap<string, Buffer>
  /** The file llms.txt. */
  list: Buffer
}

function writeFiles(operations: readonly Operation[]): DocsFiles {
  const pages = pagesOf(operations)
  const files = pages.flatMap((page): [string, Buffer][] => [
    [page.name, Buffer.from(writeHtml(page, pages, { version: API_VERSION }))],
    [`${page.name}.md`, Buffer.from(writeMarkdown(page))],
  ])
  return { pages: new Map(files), list: Buffer.from(writeLlmsText(pages)) }
}

/** The page may use only its own style sheet and script, and loads nothing. */
const POLICY = [
  "default-src 'none'",
  `script-src '${digestOf(SCRIPT)}'`,
  `style-src '${digestOf(STYLES)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const SAFE = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  ...SAFE,
}

const MARKDOWN_HEADERS = { 'content-type': 'text/markdown; charset=utf-8', ...SAFE }

const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8', ...SAFE }
