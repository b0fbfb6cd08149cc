import { STATUS_CODES } from 'node:http'
import { ERRORS } from '../../domain/errors.ts'
import { ERROR_ENVELOPES } from '../openapi/error-envelopes.ts'
import { type Html, html, sentence } from './html.ts'
import { listFields } from './list-fields.ts'
import { fieldTable } from './render-operation.ts'

/** The envelopes, then the whole catalog; `#error-<code>` leads to one code. */
export function renderErrors(): Html {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return html`
<section id="errors">
  <h2>Errors</h2>
  <p>An error says what is wrong in a sentence and, in most envelopes, in a <code>code</code> that a program can rely
    on. Every answer carries <code>x-request-id</code>; tell it when you ask about one. Every 429 and 503 carries
    <code>Retry-After</code> in seconds.</p>
  ${Object.values(ERROR_ENVELOPES).map(
    ({ name, schema }) => html`<h3 id="${name}">${name}</h3>${fieldTable(listFields(schema).map(shorten))}`,
  )}
  <h3 id="codes">Codes</h3>
  ${[...byStatus].map(([status, errors]) => renderStatus(status, errors))}
</section>`
}

/** The list of all codes follows anyway. */
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
