const DEEPSEEK =
  'The list has older prices of this name; the page of the vendor had ours on 2025-11-15, for V3.2.'
const XAI =
  'The list has no price of a long context for it; the page of the vendor had twice the price beyond 128,000 tokens on 2025-11-15.'

/** Reviewed differences between the presets and the public price list, with the reason why ours stands. */
export const ACCEPTED: ReadonlyMap<string, string> = new Map([
  ['deepseek/deepseek-chat input_token: 0.28 here, 0.27 there', DEEPSEEK],
  ['deepseek/deepseek-chat cached_input_token: 0.028 here, 0.07 there', DEEPSEEK],
  ['deepseek/deepseek-chat output_token: 0.42 here, 1.1 there', DEEPSEEK],
  ['deepseek/deepseek-reasoner input_token: 0.28 here, 0.55 there', DEEPSEEK],
  ['deepseek/deepseek-reasoner cached_input_token: 0.028 here, 0.14 there', DEEPSEEK],
  ['deepseek/deepseek-reasoner output_token: 0.42 here, 2.19 there', DEEPSEEK],
  ['xai/grok-4 long_context_input: 2 here, 1 there', XAI],
  ['xai/grok-4 long_context_output: 2 here, 1 there', XAI],
  ['xai/grok-4-fast-reasoning long_context_input: 2 here, 1 there', XAI],
  ['xai/grok-4-fast-reasoning long_context_output: 2 here, 1 there', XAI],
  ['xai/grok-4-fast-non-reasoning long_context_input: 2 here, 1 there', XAI],
  ['xai/grok-4-fast-non-reasoning long_context_output: 2 here, 1 there', XAI],
])
