/** Only an erased customer has no name. */
export function customerState({ name, disabled_at }: { name: string; disabled_at: string | null }) {
  if (name === '') return 'erased'
  return disabled_at === null ? 'enabled' : 'disabled'
}
