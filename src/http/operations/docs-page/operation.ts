import { createHash } from 'node:crypto'
import type { Operation } from '../../operation.ts'
import { API_VERSION } from '../openapi/group-of.ts'
import { renderPage } from './render-page.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'

/** Takes a function because the table contains this row too. */
export function docsPageOperation(operations: () => readonly Operation[]): Operation {
  return {
    id: 'docs',
    method: 'GET',
    path: '/docs',
    area: 'video',
    access: 'open',
    summary: 'This reference as a page',
    replies: { 200: { description: 'The page.', contentType: 'text/html' } },
    handle() {
      let page: Buffer | undefined
      return (_request, reply) => {
        page ??= Buffer.from(renderPage(operations(), { version: API_VERSION }))
        return reply.headers(HEADERS).send(page)
      }
    },
  }
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

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
