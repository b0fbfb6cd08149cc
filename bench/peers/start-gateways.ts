import { join } from 'node:path'
import { installPeer } from './install-peer.ts'
import { type Child, startChild } from './start-child.ts'

/** Other gateways in Node, from npm, unchanged. */
export async function startPortkey(): Promise<Child | undefined> {
  const program = await installPeer({
    name: '@portkey-ai/gateway',
    version: '1.15.2',
    program: 'build/start-server.js',
    // Newer versions answer 500 to every stream.
    pinned: { '@hono/node-server': '1.13.7' },
  })
  if (program === undefined) return undefined
  return startChild(process.execPath, (port) => [program, `--port=${port}`, '--headless'], {
    NODE_ENV: 'production',
  })
}

export async function startLlms(upstreamUrl: string): Promise<Child | undefined> {
  const program = await installPeer({
    name: '@musistudio/llms',
    version: '1.0.53',
    program: 'dist/cjs/server.cjs',
  })
  if (program === undefined) return undefined
  const server = join(import.meta.dirname, 'llms-server.ts')
  return startChild(process.execPath, (port) => [server, String(port)], {
    ...{ LLMS: program, UPSTREAM: upstreamUrl, NODE_ENV: 'production' },
  })
}
