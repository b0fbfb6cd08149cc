const LENGTH_MAX = 256
const SHAPE = /^[^\s/]+\/\S+$/

/** Whether a text has the shape `<provider>/<model_name>`. */
export function isModelName(text: string): boolean {
  return text.length <= LENGTH_MAX && SHAPE.test(text)
}
