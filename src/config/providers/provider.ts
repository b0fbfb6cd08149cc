/** What every configured vendor has; its driver's settings add to it. Its name is the first part of the model ids clients use. */
export interface AnyProvider {
  name: string
  /** The name of its row in the table of drivers. */
  driver: string
  /** Without a slash at its end. */
  baseUrl: string
  /** By our model names. Left out: the driver has no such list, and serves the models of its family. */
  models?: ReadonlyMap<string, unknown>
  /** The one organization that its account belongs to. Left out: all of them share it. */
  organizationId?: string | undefined
}
