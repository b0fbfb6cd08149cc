/**
 * Whether a provider is configured for a model, by the second part of its name: it is in the provider's list, or the driver
 * has no such list. Whether the driver can make it is another question.
 */
export function isConfiguredFor(
  { models }: { models?: { has(model: string): boolean } | undefined },
  model: string,
): boolean {
  return models?.has(model) ?? true
}
