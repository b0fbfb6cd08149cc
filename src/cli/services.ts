import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DemoReport, Operator } from '../app/operator.ts'
import type { ProviderView } from '../app/providers/provider-view.ts'
import type { QuoteView } from '../app/video/quote-task.ts'
import { type Config, loadConfig, randomSecret } from '../compose/config.ts'
import type { DependencyCheck } from '../compose/diagnosis/check-probe.ts'
import type { VendorModel } from '../compose/diagnosis/list-vendor-models.ts'
import type { MediaCommands } from '../compose/media-commands.ts'

export interface Services {
  loadConfig(): Config
  /** Resolves when the server has stopped. */
  startServer(options: { config: Config; workers: number | undefined }): Promise<void>
  composeOperator(config: Config): Promise<{ operator: Operator; close(): Promise<void> }>
  /** Returns the names of the migrations that this call applied. */
  migrateStore(config: Config): Promise<string[]>
  checkDependencies(config: Config): Promise<DependencyCheck[]>
  testProvider(config: Config, provider: Config['providers'][number]): Promise<DependencyCheck[]>
  /** Lists the providers of `sluice.yaml` and of the store, if the store exists. */
  listProviders(config: Config): Promise<ProviderView[]>
  /** Opens the store and the media store, runs `work` and closes both. */
  withMedia(config: Config, work: (media: MediaCommands) => Promise<void>): Promise<void>
  /** Finds a provider of `sluice.yaml` or of the store by its name. */
  findProvider(config: Config, name: string): Promise<Config['providers'][number] | undefined>
  listVendorModels(config: Config, provider: Config['providers'][number]): Promise<VendorModel[]>
  /** Finds a sandbox vendor of the gateway that runs on this machine. */
  findSandboxVendor(config: Config, name: string): Promise<Config['providers'][number] | undefined>
  quoteOrder(config: Config, order: { organizationId: string; body: Buffer }): Promise<QuoteView>
  fillDemo(config: Config, options: { besideCustomers: boolean }): Promise<DemoReport>
  randomSecret(): string
  hasFile(path: string): boolean
  readFile(path: string): string
  /** Creates missing folders and replaces an existing file. `mode`: access rights of a new file. */
  writeFile(path: string, text: string, mode?: number): void
}

/** Loads modules when a command runs, so that help and faults of the configuration show at once. */
export const realServices: Services = {
  loadConfig,
  startServer: async (options) => (await import('../process/start-server.ts')).startServer(options),
  composeOperator: async (config) => (await import('../compose/operator.ts')).composeOperator(config),
  migrateStore: async (config) => (await import('../compose/engines.ts')).migrateStore(config),
  async checkDependencies(config) {
    const { checkDependencies } = await import('../compose/diagnosis/check-dependencies.ts')
    const { checkServer } = await import('../compose/diagnosis/check-server.ts')
    return [...(await checkDependencies(config)), ...(await checkServer(config))]
  },
  async testProvider(config, provider) {
    const { testProvider } = await import('../compose/diagnosis/test-provider.ts')
    const { catalogOrNone } = await import('../compose/providers/for-commands.ts')
    return testProvider(config, provider, await catalogOrNone(config))
  },
  withMedia: async (config, work) => (await import('../compose/media-commands.ts')).withMedia(config, work),
  listProviders: async (config) =>
    (await import('../compose/providers/for-commands.ts')).listProviders(config),
  findProvider: async (config, name) =>
    (await import('../compose/providers/for-commands.ts')).findProvider(config, name),
  listVendorModels: async (config, provider) =>
    (await import('../compose/diagnosis/list-vendor-models.ts')).listVendorModels(config, provider),
  findSandboxVendor: async (config, name) =>
    (await import('../compose/diagnosis/find-sandbox-vendor.ts')).findSandboxVendor(config, name),
  quoteOrder: async (config, order) => (await import('../compose/quotes.ts')).quoteOrder(config, order),
  fillDemo: async (config, options) =>
    (await import('../compose/demo/fill-demo.ts')).fillDemo(config, options),
  randomSecret,
  hasFile: existsSync,
  readFile: (path) => readFileSync(path, 'utf8'),
  writeFile(path, text, mode) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  },
}
