/** Routes of the sign-in that this build does not know yet. */
interface Session {
  object: 'session'
  actor: string
  role: 'viewer' | 'operator' | 'owner'
  method: string
  created_at: string
  expires_at: string
  ends_at: string
}

export interface PlannedOperations {
  'GET /session': { query: object; body: undefined; reply: Session }
  'POST /session': { query: object; body: { key: string }; reply: Session }
  'DELETE /session': { query: object; body: undefined; reply: { ended: boolean } }
  'GET /session/methods': { query: object; body: undefined; reply: { key: boolean; openid: boolean } }
}
