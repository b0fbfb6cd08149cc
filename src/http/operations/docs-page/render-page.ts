import { STATUS_CODES } from 'node:http'
import { ERRORS } from '../../../domain/errors.ts'
import type { Operation } from '../../operation.ts'
import { Html, html, sentence } from '../../pages/html.ts'
import { ERROR_ENVELOPES, errorEnvelope } from '../openapi/error-envelopes.ts'
import { GROUPS, type Group, groupOf } from '../openapi/group-of.ts'
import { renderCallbacks } from './callbacks.ts'
import { curlExample, sampleOf } from './curl-example.ts'
import { type Field, listFields, typeText } from './list-fields.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'

/** Renders the reference as one page without other resources; its script is optional. */
export function renderPage(operations: readonly Operation[], { version }: { version: string }): string {
  const documented = operations.filter(({ undocumented }) => !undocumented)
  const sections = sectionsOf(documented)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API reference</title>
<style>${new Html(STYLES)}</style>
</head>
<body>
<a class="skip" href="#top">Skip to the reference</a>
<nav aria-label="Contents">
  <p class="brand"><a href="#top">Sluice</a> <span>${version}</span></p>
  <form role="search" hidden><label>Search <kbd>/</kbd><input id="search" type="search" autocomplete="off" spellcheck="false" aria-controls="top"></label>
  <p id="found" role="status"></p></form>
  <details class="contents" open><summary>Contents</summary>
  ${sections.map(renderContents)}
  <div class="part"><p class="group"><a href="#callbacks">Callbacks</a></p></div>
  <div class="part"><p class="group"><a href="#errors">Errors</a></p></div>
  </details>
</nav>
<main id="top">
  ${renderIntroduction(sections)}
  ${sections.map(renderSection)}
  ${renderCallbacks()}
  ${renderErrors()}
</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text
}

interface Section {
  name: Group
  operations: readonly Operation[]
}

/** Sections in the order of the groups, without empty ones. */
function sectionsOf(operations: readonly Operation[]): Section[] {
  const order = Object.keys(GROUPS)
  return [...Map.groupBy(operations, groupOf)]
    .map(([name, members]) => ({ name, operations: members }))
    .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
}

function renderContents({ name, operations }: Section): Html {
  return html`
  <div class="part"><p class="group"><a href="#${anchorOf(name)}">${name}</a></p>
  <ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul></div>`
}

function renderSection({ name, operations }: Section): Html {
  return html`
<section id="${anchorOf(name)}" class="group">
  <h2>${name}</h2>
  <p>${sentence(GROUPS[name])}</p>
  ${operations.map(renderOperation)}
</section>`
}

function anchorOf(name: Group): string {
  return `group-${name.toLowerCase()}`
}

const SET_UP = `export SLUICE_URL=http://127.0.0.1:8080
export SLUICE_API_KEY=sk-sluice-...
export SLUICE_ADMIN_KEY=...   # operators only`

function renderIntroduction(sections: readonly Section[]): Html {
  const keyed = sections.some(({ operations }) => operations.some(({ access }) => access === 'api-key'))
  return html`
<header>
  <h1>Sluice API reference</h1>
  <p class="lead">One HTTP service for videos, media assets and text models. The same reference for programs is at
    <a href="/openapi.json">/openapi.json</a>.</p>
</header>
<section id="start">
  <h2>Before you start</h2>
  <p>The examples can be pasted into a shell after these lines:</p>
  <pre tabindex="0"><code>${SET_UP}</code></pre>
  ${
    keyed &&
    html`<p>Your operator gives you the API key. Send it as <code>Authorization: Bearer &lt;key&gt;</code>; the text
    endpoints also take it as <code>x-api-key</code>. Where a limit is set, every answer says how it stands in
    <code>x-ratelimit-limit</code>, <code>x-ratelimit-remaining</code> and <code>x-ratelimit-reset</code> (seconds).</p>`
  }
  <p>Bodies are JSON in UTF-8. Times are Unix seconds unless a field says otherwise.</p>
</section>`
}

/** Envelopes, then the whole catalog; `#error-<code>` links to one code. */
function renderErrors(): Html {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return html`
<section id="errors" class="group">
  <h2>Errors</h2>
  <p>An error says what is wrong in a sentence and, in most envelopes, in a <code>code</code> that a program can rely
    on. Every answer carries <code>x-request-id</code>; tell it when you ask about one. Every 429 and 503 carries
    <code>Retry-After</code> in seconds.</p>
  ${ERROR_ENVELOPES.map(
    ({ name, schema }) => html`<h3 id="${name}">${name}</h3>${fieldTable(listFields(schema).map(shorten))}`,
  )}
  <h3 id="codes">Codes</h3>
  ${[...byStatus].map(([status, errors]) => renderStatus(status, errors))}
</section>`
}

/** Shortens the type, because the list of all codes follows. */
function shorten<F extends { name: string; type: string }>(field: F): F {
  return field.name === 'error.code' ? { ...field, type: 'string' } : field
}

function renderStatus(status: number, errors: [string, (typeof ERRORS)[keyof typeof ERRORS]][]): Html {
  const rows = errors.map(
    ([code, { message, advice }]) => html`
    <div id="error-${code}">
      <dt><a href="#error-${code}"><code>${code}</code></a></dt>
      <dd>${message}</dd>
      <dd class="advice">${sentence(advice)}</dd>
    </div>`,
  )
  return html`<h4>${status} ${STATUS_CODES[status]}</h4><dl class="codes">${rows}</dl>`
}

function renderOperation(operation: Operation): Html {
  const { id, method, path, summary, description, body } = operation
  return html`
<article id="${id}" class="operation">
  <h3><a href="#${id}">${summary}</a></h3>
  <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
  ${description !== undefined && html`<p>${sentence(description)}</p>`}
  <pre tabindex="0"><code>${curlExample(operation)}</code></pre>
  ${renderFields('Path', pathFields(path))}
  ${renderFields('Query', parameterFields(operation.query))}
  ${renderFields('Headers', parameterFields(operation.headers))}
  ${body !== undefined && renderFields('Body', listFields(body.schema))}
  <h4>Answers</h4>
  ${Object.entries(operation.replies).map(([status, reply]) => renderReply(operation, status, reply))}
</article>`
}

function renderReply(
  { area }: Operation,
  status: string,
  { description, schema, contentType }: Operation['replies'][number],
): Html {
  const failed = Number(status) >= 400
  const fields = listFields(schema)
  const envelope = failed && schema === undefined ? errorEnvelope(area).name : undefined
  return html`
  <div class="reply">
    <p><span class="status ${failed ? 'failed' : 'fine'}">${status} ${STATUS_CODES[status]}</span>
      ${sentence(description)}
      ${contentType !== undefined && html`<code>${contentType}</code>`}
      ${envelope !== undefined && html`<a href="#${envelope}">${envelope}</a>`}</p>
    ${fields.length > 0 && fieldTable(fields)}
    ${!failed && fields.length > 0 && renderExample(schema)}
  </div>`
}

function renderExample(schema: unknown): Html {
  return html`<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(sampleOf(schema), null, 2)}</code></pre></details>`
}

function renderFields(title: string, fields: readonly Field[]): Html | undefined {
  if (fields.length === 0) return undefined
  return html`<h4>${title}</h4>${fieldTable(fields)}`
}

function fieldTable(fields: readonly Field[]): Html {
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

function pathFields(path: string): Field[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    type: 'string',
    required: true,
    description: '',
  }))
}

function parameterFields(parameters: Operation['query'] = {}): Field[] {
  return Object.entries(parameters).map(([name, { schema, description }]) => ({
    name,
    type: typeText(schema),
    required: false,
    description,
  }))
}
