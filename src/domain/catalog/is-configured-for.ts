/**
 * Whether a provider is configured for a model, by the second part of its name: the provider lists the model, or its
 * driver has no list. This does not tell whether the driver can serve the model.
 */
export function isConfiguredFor(
  { models }: { models?: { has(model: string): boolean } | undefined },
  model: string,
): boolean {
  return models?.has(model) ?? true
}
