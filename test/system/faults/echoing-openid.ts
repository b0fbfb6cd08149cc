import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts an OpenID provider whose errors repeat the request with the client secret, and returns its address. */
export async function startEchoingOpenId(): Promise<string> {
  const server = createServer(async (request, response) => {
    const sent = await request.reduce((whole: string, chunk: Buffer) => whole + chunk.toString(), '')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const isDiscovery = request.url?.startsWith('/.well-known/') === true
    const echo = `${request.headers.authorization} ${atob(request.headers.authorization?.split(' ')[1] ?? '')} ${sent}`
    response.writeHead(isDiscovery ? 200 : 400, { 'content-type': 'application/json' }).end(
      JSON.stringify(
        isDiscovery
          ? {
              ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
              ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] },
              ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
            }
          : { error: 'invalid_client', error_description: echo },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
