/** Settings that every configured vendor has; its driver adds more. */
export interface AnyProvider {
  name: string
  /** Name of the row in the table of drivers. */
  driver: string
  /** URL without a final slash. */
  baseUrl: string
  /** Models by the names that clients use. Left out: all models of the driver's family. */
  models?: ReadonlyMap<string, unknown>
  /** The one organization that uses this account. Left out: all organizations share it. */
  organizationId?: string | undefined
  /** True for a provider of the store. Its host may be local only where `OUTBOUND_ALLOW` allows it. */
  isFromStore?: true
}
