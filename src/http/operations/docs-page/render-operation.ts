import { STATUS_CODES } from 'node:http'
import type { Operation } from '../../operation.ts'
import { errorEnvelope } from '../openapi/error-envelopes.ts'
import { curlExample } from './curl-example.ts'
import { type Html, html, sentence } from './html.ts'
import { type Field, listFields, typeText } from './list-fields.ts'

export function renderOperation(operation: Operation): Html {
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
  </div>`
}

function renderFields(title: string, fields: readonly Field[]): Html | undefined {
  if (fields.length === 0) return undefined
  return html`<h4>${title}</h4>${fieldTable(fields)}`
}

export function fieldTable(fields: readonly Field[]): Html {
  const rows = fields.map(
    ({ name, type, required, description }) => html`
    <tr>
      <th scope="row"><code>${name}</code>${!required && html` <span class="optional">optional</span>`}</th>
      <td>${type}</td>
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
