/** Settings of every configured vendor; its driver adds its own. Its name is the first part of the model ids of clients. */
export interface AnyProvider {
  name: string
  /** Name of its row in the table of drivers. */
  driver: string
  /** URL without a final slash. */
  baseUrl: string
  /** Models by our names. Left out: the driver has no such list, and serves the models of its family. */
  models?: ReadonlyMap<string, unknown>
  /** The one organization that its account belongs to. Left out: all of them share it. */
  organizationId?: string | undefined
  /** Added while the gateway runs: its name may lead to local addresses only where the environment allows them. */
  isFromStore?: true
}
