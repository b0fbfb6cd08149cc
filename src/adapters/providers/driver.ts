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
 * A row of the table of drivers: what the program needs to know of one vendor's API. What is opened is loaded then: a start
 * does not pay for a driver that no provider uses.
 */
export interface Driver<Provider extends AnyProvider> {
  /** Its section in the reference of the providers file: paragraphs, and tables of fields. */
  reference: readonly (string | ConfigFields)[]
  /** undefined when there was a fault, which is reported. */
  read(section: ProviderSection): Provider | undefined
  probes(provider: Provider): ProviderProbe[]
  /** One cheap call for each model. Left out: no call of this vendor is cheap, and its probes are all that is asked. */
  trials?(provider: Provider): ProviderProbe[]
  /** The providers of this driver that the sandbox at this address stands in for. */
  sandbox(url: string): Provider[]
  /** For vendors that make videos. */
  video?: { family: FamilyName; open(provider: Provider, parts: { upstream: Upstream }): Promise<OpenVideo> }
  /** For vendors that keep media and verify people. */
  assets?: {
    /** undefined: this provider is not configured for it. */
    endpointOf(provider: Provider): string | undefined
    /** The vendor removes assets and groups when it is asked to. */
    canDelete(provider: Provider): boolean
    open(provider: Provider, parts: { upstream: Upstream; clock: Clock }): Promise<AssetDriver>
  }
  /** For vendors of text models. */
  text?: {
    open(
      provider: Provider,
      parts: { upstream: Upstream; clock: Clock; log: Log; metrics: Metrics },
    ): Promise<TextProvider>
  }
}

export interface OpenVideo {
  driver: VideoDriver
  /** How long a task may take when the client does not say; undefined: two days. */
  expiresAfterSeconds: number | undefined
  /** The least time that a client may ask for, where the operator set one. */
  expiresMinSeconds: number | undefined
}

/** A call that costs nothing, or next to nothing, and what its answer says about address, key and model. */
export interface ProviderProbe {
  /** What is checked, for a person: `provider vendorC (chat, key 2)`. */
  name: string
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether the vendor looks at a key here. */
  showsKey: boolean
  /** How an operator finds the key in the provider's settings. */
  keySetting: string
  /** The vendor's own id of the model that is asked for an answer. Left out: the call only shows that the API is there. */
  model?: string
  /** Whether a 404 comes from the API itself, as it does for a task that does not exist. */
  isOwn404(body: unknown): boolean
}
