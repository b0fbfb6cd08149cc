import type { AnyProvider } from '../../config/providers/provider.ts'
import type { ConfigFields } from '../../config/read-fields.ts'
import type { ProviderSection } from '../../config/yaml/section.ts'
import type { FamilyName } from '../../domain/video/families/families.ts'
import type { AssetDriver } from '../../ports/asset-driver.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { TextProvider } from '../../ports/text-provider.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'
import type { Upstream } from '../outbound/upstream.ts'

/**
 * Row of the table of drivers: all that the program needs to know about one vendor's API. `open` loads the driver's
 * code on demand, because many deployments have no provider for it.
 */
export interface Driver<Provider extends AnyProvider> {
  /** Paragraphs and tables of fields for docs/configuration.md. */
  reference: readonly (string | ConfigFields)[]
  /** Returns undefined when it reported a fault. */
  read(section: ProviderSection): Provider | undefined
  probes(provider: Provider): ProviderProbe[]
  /**
   * Returns one cheap call per model, and probes of further keys; `embeds` has the names of models that make only
   * embeddings. Left out: the vendor has no cheap call, and only the probes are sent.
   */
  trials?(provider: Provider, embeds: ReadonlySet<string>): ProviderProbe[]
  /** Returns the call that lists the vendor's models. Left out: the vendor has no such call. */
  modelList?(provider: Provider): { path: string; headers: Record<string, string> } | undefined
  /** Returns the providers of this driver that the sandbox at this address simulates. */
  sandbox(url: string): Provider[]
  video?: { family: FamilyName; open(provider: Provider, parts: { upstream: Upstream }): Promise<OpenVideo> }
  /** Set for vendors that store media and verify people. */
  assets?: {
    /** Returns undefined when this provider is not configured for assets. */
    endpointOf(provider: Provider): string | undefined
    /** Tells whether the vendor can delete assets and groups. */
    canDelete(provider: Provider): boolean
    open(provider: Provider, parts: { upstream: Upstream; clock: Clock }): Promise<AssetDriver>
  }
  text?: {
    open(
      provider: Provider,
      parts: { upstream: Upstream; clock: Clock; log: Log; metrics: Metrics },
    ): Promise<TextProvider>
  }
}

export interface OpenVideo {
  driver: VideoDriver
  /** Default deadline of a task; undefined: two days. */
  expiresAfterSeconds: number | undefined
  /** Minimum deadline that a client may request; undefined: no minimum. */
  expiresMinSeconds: number | undefined
}

/** A call of little or no cost, whose response shows whether address, key and model are right. */
export interface ProviderProbe {
  /** Name for an operator, such as `provider vendorC (chat, key 2)`. */
  name: string
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether the vendor checks the key of this call. */
  showsKey: boolean
  keySetting: string
  /** Vendor's id of the called model. Left out: the call only shows that the API exists. */
  model?: string
  /** Tells whether a 404 comes from the API itself, as for a task that does not exist. */
  isOwn404(body: unknown): boolean
}
