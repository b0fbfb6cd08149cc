import { createHash } from 'node:crypto'
import { ApiError } from '../../../domain/api-error.ts'
import { readMember } from '../../body/request-body.ts'
import { type Operation, openOperation } from '../../operation.ts'
import { Html, html, sentence } from '../../pages/html.ts'
import { API_VERSION } from '../openapi/group-of.ts'
import { type DocsBlock, type DocsPage, LANGUAGES, type LinkRow } from './block.ts'
import type { Field } from './list-fields.ts'
import { INDEX_NAME, pagesOf, statusText } from './pages.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'
import { writeLlmsText, writeMarkdown } from './write-markdown.ts'

/** Takes a function, because the list of operations contains these operations and is not complete yet. */
export function docsOperations(operations: () => readonly Operation[]): Operation[] {
  const files = new Map<string, Buffer>()
  let described: readonly DocsPage[] | undefined
  const pages = () => {
    described ??= pagesOf(operations())
    return described
  }
  /** Writes HTML by the name of a page, and Markdown by the name with `.md`. All pages in one turn would take too long. */
  const fileOf = (name: string) => {
    const page = pages().find((one) => name === one.name || name === `${one.name}.md`)
    if (page === undefined) return undefined
    const write = () => (name === page.name ? writeHtml(page, pages()) : writeMarkdown(page))
    const file = files.get(name) ?? Buffer.from(write())
    files.set(name, file)
    return file
  }
  return [
    openOperation('docs', 'GET /docs', {
      summary: 'This reference: where to start, and a list of its pages',
      replies: { 200: { description: 'The page.', contentType: 'text/html' } },
      serve: (_parts, _request, reply) => reply.headers(HTML_HEADERS).send(fileOf(INDEX_NAME)),
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
        const name = String(readMember(params, 'page')) || INDEX_NAME
        const file = fileOf(name)
        if (file === undefined) throw new ApiError('not_found')
        return reply.headers(name.endsWith('.md') ? MARKDOWN_HEADERS : HTML_HEADERS).send(file)
      },
    }),
    openOperation('llmsText', 'GET /llms.txt', {
      summary: 'List the pages of this reference for agents',
      replies: { 200: { description: 'The list, as llmstxt.org describes it.', contentType: 'text/plain' } },
      serve: (_parts, _request, reply) => reply.headers(TEXT_HEADERS).send(writeLlmsText(pages())),
    }),
  ]
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

/** Page without other resources; its script is optional. */
function writeHtml(page: DocsPage, pages: readonly DocsPage[]): string {
  const { name, title, summary, blocks } = page
  const isIndex = name === INDEX_NAME
  const listed = pages.filter((other) => other.name !== INDEX_NAME)
  const forOperators = listed.find((other) => other.name.startsWith('admin-'))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isIndex ? title : `${title} - Sluice API reference`}</title>
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
<style>${new Html(STYLES)}</style>
</head>
<body${isIndex && new Html(' class="index"')}>
<a class="skip" href="#top">Skip to the reference</a>
<nav aria-label="Contents">
  <p class="brand"><a href="/docs">Sluice</a> <span>${API_VERSION}</span></p>
  <form role="search" hidden><label>Search <kbd>/</kbd><input id="search" type="search" autocomplete="off" spellcheck="false" aria-controls="top"></label>
  <p id="found" role="status"></p></form>
  <details class="contents" open><summary>Contents</summary>
  ${listed.map((other) => html`${other === forOperators && html`<p class="caption">For operators</p>`}${contentsOf(other, other === page)}`)}
  </details>
</nav>
<main id="top">
<header>
  <h1>${title}</h1>
  <p class="lead">${sentence(summary)}</p>
  ${!isIndex && html`<p class="also"><a href="/docs/${name}.md">This page as Markdown</a></p>`}
</header>
${blocks.map(blockHtml)}
</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text
}

/** Every page lists all operations: the search looks through them. */
function contentsOf({ name, title, contents }: DocsPage, isOpen: boolean): Html {
  const link = html`<a href="/docs/${name}"${isOpen && new Html(' aria-current="page"')}>${title}</a>`
  if (contents.length === 0) return html`<div class="part"><p class="group">${link}</p></div>`
  return html`
  <details class="part"${isOpen && new Html(' open')}><summary class="group">${link}</summary>
  <ul>${contents.map(({ href, title: text, path }) => html`<li><a href="${href}"${path !== undefined && html` title="${path}"`}>${text}</a></li>`)}</ul></details>`
}

function blockHtml(block: DocsBlock): Html {
  switch (block.kind) {
    case 'heading':
      return headingHtml(block)
    case 'paragraph':
      return html`<p>${sentence(block.text)}</p>`
    case 'code':
      return codeHtml(block.text)
    case 'example':
      return exampleHtml(block)
    case 'fields':
      return fieldsHtml(block.fields)
    case 'operation':
      return html`
<article id="${block.id}" class="operation">
  <h2><a href="#${block.id}">${block.title}</a></h2>
  <p class="route"><span class="method ${block.method.toLowerCase()}">${block.method}</span> <code>${block.path}</code></p>
  ${block.blocks.map(blockHtml)}
</article>`
    case 'reply':
      return html`
  <div class="reply">
    <p><span class="status ${block.status >= 400 ? 'failed' : 'fine'}">${statusText(block.status)}</span>
      ${sentence(block.text)}</p>
    ${block.blocks.length > 0 && html`<details><summary>Fields${block.status < 400 && ' and an example'}</summary>${block.blocks.map(blockHtml)}</details>`}
  </div>`
    case 'sample':
      return codeHtml(block.text)
    case 'codes':
      return html`<dl class="codes">${block.rows.map(
        ({ code, message, advice }) => html`
    <div id="error-${code}">
      <dt><a href="#error-${code}"><code>${code}</code></a></dt>
      <dd>${message}</dd>
      <dd class="advice">${sentence(advice)}</dd>
    </div>`,
      )}</dl>`
    case 'links':
      return html`<ul class="links${block.rows.every(({ path }) => path === undefined) && ' short'}">${block.rows.map(linkHtml)}</ul>`
  }
}

function headingHtml({ level, text, id }: Extract<DocsBlock, { kind: 'heading' }>): Html {
  const tag = new Html(`h${level}`)
  return html`<${tag}${id !== undefined && html` id="${id}"`}>${sentence(text)}</${tag}>`
}

function codeHtml(text: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre></div>`
}

/** Radio buttons switch without a script; the script makes all examples follow and keeps the choice. */
function exampleHtml({ id, texts }: Extract<DocsBlock, { kind: 'example' }>): Html {
  const languages = Object.entries(LANGUAGES)
  return html`<div class="example" role="group" aria-label="Example">${languages.map(
    ([language, title], at) =>
      html`<input type="radio" name="language-${id}" id="${language}-${id}" value="${language}"${at === 0 && new Html(' checked')}><label for="${language}-${id}">${title}</label>`,
  )}${Object.entries(texts).map(
    ([language, text]) =>
      html`<div class="code in-${language}"><pre tabindex="0"><code>${text}</code></pre></div>`,
  )}</div>`
}

function linkHtml({ id, href, title, path }: LinkRow): Html {
  return html`<li id="${id}"><a href="${href}">${title}</a>${path !== undefined && html` <code>${path}</code>`}</li>`
}

function fieldsHtml(fields: readonly Field[]): Html {
  const rows = fields.map(
    ({ name, type, required, description }) => html`
    <tr>
      <th scope="row"><code>${name}</code>${!required && html` <span class="optional">optional</span>`}</th>
      <td class="type">${type}</td>
      <td>${sentence(description)}</td>
    </tr>`,
  )
  return html`
  <div class="table" tabindex="0"><table>
    <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`
}
