export type TextEndpoint = 'messages' | 'responses'

/** One row of the catalog: a model clients may name, as `<provider>/<model_name>`. */
export interface Model {
  /** The integer the admin endpoints call `model_id`. */
  modelId: number
  name: string
  /** Where a text model is offered; null: the default of its provider, or a video model. */
  endpoints: readonly TextEndpoint[] | null
  maxOutputTokens: number | null
  createdAtMs: number
}

/** The part of a model's name before the slash. */
export function providerOf(model: Pick<Model, 'name'>): string {
  return model.name.slice(0, model.name.indexOf('/'))
}
