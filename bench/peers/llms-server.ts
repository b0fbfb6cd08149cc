import { createRequire } from 'node:module'

/**
 * @musistudio/llms started by its readme, without its log: messages passed to an upstream of the same dialect and
 * converted for one that speaks chat.
 */
const { LLMS = '', UPSTREAM = '' } = process.env
// Its build for `import` does not load in Node.
const { default: Server } = createRequire(import.meta.url)(LLMS)
const provider = { api_key: 'bench', models: ['messages', 'chat'] }
const server = new Server({
  logger: false,
  initialConfig: {
    ...{ HOST: '127.0.0.1', PORT: process.argv[2] },
    providers: [
      {
        ...provider,
        name: 'passed',
        api_base_url: `${UPSTREAM}/v1/messages`,
        transformer: { use: ['Anthropic'] },
      },
      { ...provider, name: 'converted', api_base_url: `${UPSTREAM}/v1/chat/completions` },
    ],
  },
})
await server.start()
