/** Settings that every configured vendor has; its driver adds more. */
export interface AnyProvider {
  name: string
  /** Name of the row in the table of drivers. */
  driver: string
  /** URL without a final slash. */
  baseUrl: string
  /**
   * Models by the names that clients use. Left out: the driver has no list, and serves all models of its
   * family.
   */
  models?: ReadonlyMap<string, unknown>
  /** The one organization that uses this account. Left out: all organizations share it. */
  organizationId?: string | undefined
  /**
   * Added while the gateway runs. Its host may resolve to local addresses only where `OUTBOUND_ALLOW` names
   * them.
   */
  isFromStore?: true
}
