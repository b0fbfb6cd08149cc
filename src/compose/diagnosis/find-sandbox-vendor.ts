import { objectsIn } from '@sluice/dialects/values/values'
import { decideSandbox } from '../../config/decide-sandbox.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Config } from '../config.ts'
import { sandboxProviders } from '../providers/provider-set.ts'
import { askGateway, type ReadSecrets } from './ask-gateway.ts'

/**
 * Finds a sandbox vendor of the gateway on this machine. Without SANDBOX_PORT, the gateway reports the port.
 * Returns undefined when the settings start no sandbox, or it has no such vendor. Throws when its port is unknown.
 */
export async function findSandboxVendor(
  config: Config,
  name: string,
  readSecrets?: ReadSecrets,
): Promise<Config['providers'][number] | undefined> {
  const { port } = config.sandbox
  const vendorAt = (url: string) => sandboxProviders(url).find((vendor) => vendor.name === name)
  const configured = decideSandbox(config).kind === 'run' ? vendorAt(`http://127.0.0.1:${port}`) : undefined
  if (configured === undefined || port !== 0) return configured
  const answer = await askGateway(
    config,
    { path: '/admin/v1/providers', command: 'provider-test' },
    readSecrets,
  )
  const listed = answer.kind === 'answered' ? objectsIn(Object(answer.body).data) : []
  const address = listed.find((provider) => provider.name === name)?.base_url
  const running = typeof address === 'string' ? vendorAt(new URL(address).origin) : undefined
  // A provider with the name of a sandbox vendor has another address.
  if (running !== undefined && running.baseUrl === address) return running
  throw new ApiError('not_found', {
    message: `"${name}" is a sandbox vendor, and the gateway chose its port. Start the gateway and run this with the ADMIN_API_KEY that it has, or set SANDBOX_PORT for both.`,
  })
}
