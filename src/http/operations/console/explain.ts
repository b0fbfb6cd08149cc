import { html } from '../../pages/html.ts'
import { plainPage } from '../../pages/plain-page.ts'

export const HOW_TO_ENABLE = plainPage({
  title: 'The console is switched off',
  main: html`<h1>The console is switched off</h1>
<p>It needs a key for operators. Start the gateway with one of at least 16 characters:</p>
<pre>ADMIN_API_KEY=$(openssl rand -hex 24) npm start</pre>
<p>On this machine the gateway then prints a link that signs you in. Elsewhere open this page again and sign in with the key,
or with the token of an operator (<code>sluice operator create</code>).</p>
<p class="soft">Keep the key in your deployment's secrets: with another one, everyone is signed out.</p>`,
})

export const HOW_TO_BUILD = plainPage({
  title: 'The console was not built',
  main: html`<h1>The console was not built</h1>
<p>This installation has the gateway without its pages. Build them once, in the folder of the gateway:</p>
<pre>npm ci</pre>
<p class="soft">Everything that the console shows is also in the admin API and the command line.</p>`,
})
