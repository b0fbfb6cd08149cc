/** The one row that all replicas of a deployment share. */
export interface DeploymentStore {
  /** undefined: no server has started on this store yet. */
  findSeal(): Promise<string | undefined>
  /** The first seal stays. Resolves with the one that is kept. */
  keepSeal(kept: { sealed: string; atMs: number }): Promise<string>
  /** Writes, so that a full disk is noticed, and resolves with the seal. */
  probe(probe: { atMs: number }): Promise<string | undefined>
}
