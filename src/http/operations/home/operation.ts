import { json } from '../../../domain/json/json-schema.ts'
import { openOperation } from '../../operation.ts'
import { html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../../pages/plain-page.ts'
import { prefersHtml } from '../../pages/prefers-html.ts'

const WELCOME = { name: 'Sluice', links: { docs: '/docs', models: '/v1/models' } } as const

const PAGE = plainPage({
  title: 'Sluice',
  main: html`<h1>Sluice</h1>
<p>An AI gateway: videos, media assets and text models behind one HTTP service, with keys, money and limits in one place.</p>
<ul class="links">
<li><a href="/docs"><b>Reference</b><span>Every operation with its fields, answers and an example to paste</span></a></li>
<li><a href="/console"><b>Console</b><span>For operators: tasks, customers, money and what runs now</span></a></li>
<li><a href="/readyz"><b>Health</b><span>Whether the store and the cache answer</span></a></li>
<li><a href="/openapi.json"><b>OpenAPI</b><span>The reference for programs</span></a></li>
</ul>`,
})

/** Some clients send a HEAD first to find out whether the server responds. */
export const home = openOperation('home', 'GET /', {
  summary: 'Is this a gateway, and where does one go from here?',
  description: 'A browser, which asks for `text/html` first, gets a small page with the same and more links.',
  replies: {
    200: {
      description: 'The name of the gateway and two links.',
      alsoAs: 'text/html',
      schema: json.object({
        name: json.literal(WELCOME.name),
        links: json.object({
          docs: json.literal(WELCOME.links.docs),
          models: json.literal(WELCOME.links.models),
        }),
      }),
    },
  },
  handle: () => (request, reply) => {
    reply.header('vary', 'Accept')
    if (prefersHtml(request.headers.accept)) return reply.headers(PLAIN_PAGE_HEADERS).send(PAGE)
    return reply.send(WELCOME)
  },
})
