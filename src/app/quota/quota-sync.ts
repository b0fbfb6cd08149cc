/** Brings what is cached in line with what is stored and tells every replica. A refusal changed nothing. */
export interface QuotaSync {
  organization(id: string): Promise<void>
  user(id: string): Promise<void>
  modelPrice(modelId: number): Promise<void>
}
